import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Isolation } from '../../../src/index.ts'
import { findProgram } from '../../../src/sandbox/isolation/find-program.ts'
import { canIsolate, isolatedSandbox, outcomesOf, printedBy } from '../../support/isolated.ts'
import { tempSandbox } from '../../support/temp-sandbox.ts'

/** What a fresh process reports of a level: what is in force, or the error; and what it said. */
interface Report {
  isolation?: Isolation
  error?: { code: string; message: string }
  said: string[]
  printed?: string
}

/** A folder of programs, to be `PATH`. */
async function programs(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-path-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }))
  for (const name of names) {
    const path = await findProgram(name, { path: process.env.PATH, folder: '/' })
    if (path) await symlink(path, join(folder, name))
  }
  return folder
}

async function report(level: string, path = process.env.PATH as string): Promise<Report> {
  const { workdir } = await tempSandbox()
  const script = fileURLToPath(new URL('../../fixtures/report-isolation.mjs', import.meta.url))
  const { stdout } = await execa(process.execPath, [script, workdir, level, 'echo', 'hello'], {
    env: { PATH: path },
  })
  return JSON.parse(stdout)
}

describe.skipIf(!canIsolate)('where programs can be isolated', () => {
  it.each(['auto', 'strict'])('they are by %s, which is said once', async (level) => {
    expect(await report(level)).toEqual({
      isolation: { level: 'strict', reason: expect.stringContaining('isolated by') },
      said: [expect.stringContaining('isolated by')],
      printed: 'hello\n',
    })
  })

  it('they are not by none, and nothing is said', async () => {
    expect(await report('none')).toEqual({
      isolation: { level: 'none', reason: expect.stringContaining('not isolated') },
      said: [],
      printed: 'hello\n',
    })
  })

  it('a program that does not exist is told of as ever', async () => {
    const sandbox = await isolatedSandbox()
    const child = await sandbox.spawn('no-such-program')
    expect([child.pid, await child.ended]).toMatchObject([undefined, { error: { code: 'ENOENT' } }])
    const outputs = { stdout: 'out', stderr: 'err' }
    await expect(sandbox.detached.start('no-such-program', [], outputs)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      cause: { code: 'ENOENT' },
    })
  })

  it('arguments arrive as they are, and those that cannot are refused', async () => {
    const sandbox = await isolatedSandbox()
    const args = ['$HOME', "it's", '; exit 3', '"', '*', '-e', '', 'a\nb', 'x'.repeat(100_000)]
    const child = await sandbox.spawn('node', ['-p', 'JSON.stringify(process.argv.slice(1))', '--', ...args])
    const printed: string[] = []
    for await (const piece of child.stdout) printed.push(String(piece))
    expect(JSON.parse(printed.join(''))).toEqual(args)
    for (const arg of ['a\0b', 'x'.repeat(200_000)])
      await expect(sandbox.spawn('true', [arg])).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('a program may come with a package of the app, as in a workspace', async () => {
    const app = await programs()
    const bin = join(app, 'node_modules/.bin')
    await mkdir(bin, { recursive: true })
    await mkdir(join(app, 'node_modules/tool'))
    await writeFile(join(app, 'node_modules/tool/main.sh'), '#!/bin/sh\necho from the package\n', {
      mode: 0o755,
    })
    await writeFile(join(bin, 'tool'), '#!/bin/sh\nexec "$(dirname "$0")/../tool/main.sh"\n', { mode: 0o755 })
    await writeFile(join(app, 'secret'), 'x')
    const sandbox = await isolatedSandbox()
    const child = await sandbox.spawn('tool', [], { env: { PATH: `${bin}:${process.env.PATH}` } })
    onTestFinished(() => child.kill())
    expect(await text(child.stdout)).toBe('from the package\n')
    expect((await outcomesOf(sandbox, [`cat ${app}/secret`]))[`cat ${app}/secret`]).toBe(false)
  })

  it('a program may be a file of the workdir', async () => {
    const sandbox = await isolatedSandbox()
    await writeFile(join(sandbox.workdir, 'agent.sh'), '#!/bin/sh\necho mine\n')
    await chmod(join(sandbox.workdir, 'agent.sh'), 0o700)
    expect(await printedBy(sandbox, './agent.sh')).toBe('mine\n')
    const child = await sandbox.spawn('./agent.sh')
    expect(await child.ended).toMatchObject({ exitCode: 0 })
  })
})

describe('where programs cannot be isolated', () => {
  it('strict refuses, and says what is missing and how to install it', async () => {
    const { error } = await report('strict', await programs('rg', 'sh', 'echo'))
    expect(error?.code).toBe('ISOLATION_UNAVAILABLE')
    expect(error?.message).toMatch(/bubblewrap, socat missing \(apt-get install bubblewrap socat/)
  })

  it('strict refuses when the system does not let it make a sandbox', async () => {
    const folder = await programs('sh', 'true', 'which')
    for (const name of ['bwrap', 'socat', 'rg']) {
      await writeFile(
        join(folder, name),
        '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n',
      )
      await chmod(join(folder, name), 0o755)
    }
    const { error } = await report('strict', folder)
    expect(error?.code).toBe('ISOLATION_UNAVAILABLE')
    expect(error?.message).toContain('No permissions to create a new namespace (it needs user namespaces')
  })

  it('auto goes on without, and says so once', async () => {
    expect(await report('auto', await programs('rg', 'sh', 'echo'))).toEqual({
      isolation: {
        level: 'none',
        reason: expect.stringContaining('not isolated: bubblewrap, socat missing'),
      },
      said: [expect.stringContaining('not isolated')],
      printed: 'hello\n',
    })
  })
})
