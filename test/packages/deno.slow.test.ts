import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { findCommand } from '../../scripts/find-command.mjs'
import { root } from '../../scripts/run.mjs'

const deno = createRequire(import.meta.url).resolve('deno/bin.cjs')
const script = join(root, 'packages/sdk/test/fixtures/report-isolation.mjs')

/** What isolation needs on Linux, beside Node. */
const NEEDED = ['bwrap', 'socat', 'rg', 'sh', 'echo']

/** What Deno reports of a level of isolation, and of a program that says hello. */
async function report(level: string, path: string): Promise<unknown> {
  const args = [deno, 'run', '--allow-all', '--no-remote', script, await tempDir(), level, 'echo', 'hello']
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, PATH: path },
  })
  return JSON.parse(stdout)
}

/** A folder with what isolation needs, but for Node. */
async function withoutNode(): Promise<string> {
  const folder = await tempDir()
  for (const name of NEEDED) await symlink(findCommand(name) as string, join(folder, name))
  return folder
}

describe.skipIf(!NEEDED.every(findCommand))('LocalSandbox under Deno', () => {
  it('isolates programs by way of the node on the PATH', async () => {
    expect(await report('strict', process.env.PATH as string)).toMatchObject({
      isolation: { level: 'strict' },
      printed: 'hello\n',
    })
  })

  it('says in one line why it isolates nothing where there is no node', async () => {
    const why =
      'Node starts what is isolated, also for programs of Deno and Bun, and there is no "node" on the PATH'
    const path = await withoutNode()
    const error = { code: 'ISOLATION_UNAVAILABLE', message: `Programs cannot be isolated: ${why}` }
    expect(await report('strict', path)).toEqual({ error, said: [] })
    const reason = `Programs are not isolated: ${why}`
    expect(await report('auto', path)).toEqual({
      isolation: { level: 'none', reason },
      said: [reason],
      printed: 'hello\n',
    })
  })
})
