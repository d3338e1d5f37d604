import { chmod, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { listQuestions, startRun, streamRun, submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { containerSandbox } from '../examples/own-sandbox.mjs'
import { root } from '../scripts/run.mjs'

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
  const { stdout } = await sandbox.spawn('node', ['--version'])
  expect(await text(stdout)).toBe(`${process.version}\n`)
})
