import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions, startRun, stopRun, streamRun, submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { ended, runnerPid } from '../support/runner-process.ts'

const ASKS = `
echo '{"type":"ask","questions":[{"question":"Your name?"}]}'
read -r answer
echo "$SANDAGENT_PROMPT: $answer"
`

it('starts any program as a run, which is told after a crash what was answered meanwhile', async () => {
  const folder = await tempDir()
  const sandbox = new LocalSandbox({ workdir: join(folder, 'workdir') })
  onTestFinished(async () => {
    await stopRun(sandbox, 'r', { graceMs: 0 })
    await ended(sandbox.workdir, { exitCode: 0 })
  })
  const start = () =>
    startRun(sandbox, {
      agent: 'command',
      args: ['--', 'sh', '-c', ASKS],
      prompt: '--prompt "x"',
      runId: 'r',
      runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
    })

  await start()
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
  process.kill(await runnerPid(sandbox.workdir), 'SIGKILL')
  await ended(sandbox.workdir, { state: 'crashed', signal: 'SIGKILL' })
  const [question] = await listQuestions(sandbox)
  expect(question).toMatchObject({ state: 'open', runEnded: true })
  await submitAnswer(sandbox, {
    toolCallId: question?.toolCallId as string,
    answers: { 'Your name?': 'Ada' },
  })

  await start()
  const stream = await text((await streamRun(sandbox, 'r')) as NodeReadableStream)
  expect(stream).toContain('--prompt \\"x\\": ')
  expect(stream).toContain('Ada')
  await ended(sandbox.workdir, { state: 'finished', attempt: 2 })
  expect(await listQuestions(sandbox)).toEqual([])
})
