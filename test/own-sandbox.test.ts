import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import {
  listQuestions,
  type RunSandbox,
  readRun,
  startRun,
  stopRun,
  streamRun,
  submitAnswer,
} from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { containerSandbox } from '../examples/own-sandbox/container.mjs'
import { createSandbox } from '../examples/own-sandbox/sandbox.mjs'
import { root } from '../scripts/run.mjs'

/** Starts an agent, answers its question, and looks for what it says. */
async function answersItsAgent(sandbox: RunSandbox): Promise<string> {
  const { runId } = await startRun(
    sandbox,
    {
      agent: 'command',
      args: ['--', 'node', join(root, 'examples/start/terminal/agent.mjs')],
      prompt: 'Deploy',
      runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
    },
    { onError: () => {} },
  ) // The folder is removed while the host still notes the end.
  const [question] = await vi.waitFor(async () => {
    const waiting = await listQuestions(sandbox)
    expect(waiting).toHaveLength(1)
    return waiting
  })
  await submitAnswer(sandbox, { toolCallId: question?.toolCallId ?? '', answers: { 'Where to?': 'Staging' } })
  const stream = await text(await streamRun(sandbox, runId))
  expect(stream).toContain('I deploy to Staging.')
  return runId
}

/** Stands for Docker: runs the program right here, with the variables that were named alone. */
const DOCKER = `#!/bin/sh
test "$1" = exec || exit 64
shift 2
names="PATH"
while [ "$1" = -w ] || [ "$1" = -e ]; do
  test "$1" = -e && names="$names $2"
  shift 2
done
test "$1" = my-container || exit 64
shift
for name in $names; do
  eval "value=\\\${$name-}"
  test -n "$value" && set -- "$name=$value" "$@"
done
exec env -i "$@"
`

it('runs an agent in a container that shares the workdir, and takes a signed answer', async () => {
  const bin = await tempDir()
  await writeFile(join(bin, 'docker'), DOCKER)
  await chmod(join(bin, 'docker'), 0o755)
  vi.stubEnv('PATH', [bin, process.env.PATH].join(delimiter))
  onTestFinished(() => void vi.unstubAllEnvs())
  const sandbox = containerSandbox({ workdir: await tempDir(), container: 'my-container' })

  await answersItsAgent(sandbox)
  const { stdout } = await sandbox.spawn('node', ['--version'])
  expect(await text(stdout)).toBe(`${process.version}\n`)
})

describe.skipIf(process.platform !== 'linux')('a sandbox with files and programs of its own', () => {
  const smallSandbox = async () => createSandbox({ folder: await tempDir() })
  const STAYS = ['-e', 'setInterval(() => {}, 60_000)']

  it('runs an agent, and takes a signed answer', async () => {
    const sandbox = await smallSandbox()
    const runId = await answersItsAgent(sandbox)
    await vi.waitFor(async () => expect(await readRun(sandbox, runId)).toMatchObject({ state: 'finished' }))
  })

  it('stops a run', async () => {
    const sandbox = await smallSandbox()
    const runner = [process.execPath, join(root, 'packages/cli/dist/main.js')] as const
    const request = { agent: 'command', args: ['--', 'node', ...STAYS], prompt: 'Stay', runner }
    const { runId } = await startRun(sandbox, request, { onError: () => {} })
    expect(await stopRun(sandbox, runId)).toMatchObject({ state: 'stopped' })
  })

  it('begins a program only after beforeStart has resolved', async () => {
    const { detached, files } = await smallSandbox()
    const begins = ['-c', 'echo begun > begun']
    const refused = detached.start('sh', begins, {
      stdout: 'runs/1/out',
      stderr: 'runs/1/err',
      beforeStart: () => Promise.reject(new Error('no record')),
    })
    await expect(refused).rejects.toThrow('no record')
    expect(await files.read('begun')).toBeNull()
    let seen: string | null = 'not called'
    const { handle, ended } = await detached.start('sh', begins, {
      stdout: 'runs/2/out',
      stderr: 'runs/2/err',
      beforeStart: async (given) => {
        expect(await detached.isRunning(given)).toBe(true)
        seen = await files.read('begun')
      },
    })
    expect(seen).toBeNull()
    expect(await ended).toEqual({ exitCode: 0, signal: null })
    expect(await files.read('begun')).toBe('begun\n')
    expect(await detached.isRunning(handle)).toBe(false)
  })

  it('names one program by a handle, and never another one', async () => {
    const { detached, files } = await smallSandbox()
    const outputs = { stdout: 'out', stderr: 'err' }
    const { handle, ended } = await detached.start('node', STAYS, outputs)
    const [pid, start, boot] = handle.split(' ')
    for (const other of [
      `${pid} 1 ${boot}`,
      `${pid} ${start} another-boot`,
      `${pid}`,
      `1 ${start} ${boot}`,
    ]) {
      expect(await detached.isRunning(other), other).toBe(false)
      await detached.interrupt(other)
      await detached.kill(other)
    }
    expect(await detached.isRunning(handle)).toBe(true)
    await expect(detached.start('node', [], outputs)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(detached.start('no-such-program', [], outputs)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await detached.kill(handle)
    expect(await ended).toEqual({ exitCode: null, signal: 'SIGKILL' })
    expect(await files.list('.')).toEqual(['err', 'out'])
  })

  it('keeps programs from the variables of the host, and ends them by a signal', async () => {
    vi.stubEnv('SANDAGENT_SIGNING_KEY', 'a secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { spawn } = await smallSandbox()
    const printed = await spawn('sh', ['-c', 'echo "$SANDAGENT_SIGNING_KEY" "$NAME"'], {
      env: { NAME: 'value' },
    })
    expect(await text(printed.stdout)).toBe(' value\n')
    const stop = new AbortController()
    const { ended } = await spawn('node', STAYS, { signal: stop.signal })
    stop.abort()
    expect(await ended).toEqual({ exitCode: null, signal: 'SIGTERM' })
    const missing = await spawn('no-such-program')
    expect(await missing.ended).toMatchObject({ exitCode: null, error: { code: 'ENOENT' } })
  })

  it('has one winner among writers of one file or one claim', async () => {
    const { files } = await smallSandbox()
    for (const options of [{ exclusive: true }, { claim: '.answer.final' }]) {
      const path = 'claim' in options ? 'a/answer.json' : 'a/record.json'
      const writes = Array.from({ length: 5 }, (_, n) => files.writeAtomic(path, `${n}`, options))
      const results = await Promise.allSettled(writes)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'CONFLICT' })
    }
    expect(await files.read('a/.answer.final')).toBe(await files.read('a/answer.json'))
    expect((await files.list('a')).sort()).toEqual(['.answer.final', 'answer.json', 'record.json'])
  })

  it('reads nothing outside, no long file, and no folder', async () => {
    const { files, workdir } = await smallSandbox()
    await symlink('/etc', join(workdir, 'link'))
    await symlink('/etc/hostname', join(workdir, 'file'))
    await mkdir(join(workdir, 'folder'))
    for (const path of ['../x', '/etc/hostname', 'link/hostname', 'file', 'folder', 'a//b'])
      await expect(files.read(path), path).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
    await writeFile(join(workdir, 'long'), 'x'.repeat(1024 * 1024 + 1))
    await expect(files.read('long')).rejects.toMatchObject({ code: 'TOO_LARGE' })
    expect(await files.readFrom('long', 1024 * 1024)).toEqual(Buffer.from('x'))
    expect(await files.readFrom('long', 1024 * 1024 + 1)).toHaveLength(0)
    expect([await files.read('missing'), await files.stat('no/file'), await files.list('no')]).toEqual([
      null,
      null,
      [],
    ])
    await files.remove('link')
    await rm(workdir, { recursive: true })
    await expect(files.read('missing')).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })
})
