import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
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
import { containerSandbox } from '../../examples/own-sandbox/container.mjs'
import { createSandbox } from '../../examples/own-sandbox/sandbox.mjs'
import { root } from '../../scripts/run.mjs'

/** Starts an agent, answers its question, and looks for what it says. */
async function answersItsAgent(sandbox: RunSandbox): Promise<string> {
  const { runId } = await startRun(
    sandbox,
    {
      agent: 'command',
      args: ['--', 'node', join(root, 'examples/start/express/workspace/agent.mjs')],
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

  it('passes the contract of sandboxes', async () => {
    const contract = join(root, 'examples/own-sandbox/contract.test.mjs')
    // Vitest's own variables would change what Node's test runner prints.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME }
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', contract], { env })
    expect(stdout).toMatch(/^# fail 0$/m)
    expect(stdout).toMatch(/^# pass [1-9]\d+$/m)
  })
})
