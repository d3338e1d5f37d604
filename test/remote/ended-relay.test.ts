import { createFileRunnerChannel } from '@sandagent/files'
import { type QuestionView, watchQuestions } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { pipedSandbox } from '../support/remote/piped-sandbox.ts'

it('what waits goes on when a relay was ended by a signal', async () => {
  const { sandbox, wire, workdir } = await pipedSandbox()
  const runner = createFileRunnerChannel({ workdir })
  const { handle, ended } = await sandbox.detached.start('sleep', ['1000'], { stdout: 'out', stderr: 'err' })
  onTestFinished(() => sandbox.detached.kill(handle).catch(() => {}))
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const seen: string[] = []
  const watching = (async () => {
    const views: AsyncIterable<QuestionView> = watchQuestions(sandbox, {
      signal: stop.signal,
      signingKeys: null,
    })
    for await (const { toolCallId } of views) seen.push(toolCallId)
  })()
  await runner.open(openRecord('toolu_1'))
  await vi.waitFor(() => expect(seen).toContain('toolu_1'))

  process.kill(wire.relays[0] as number, 'SIGTERM')
  await vi.waitFor(() => expect(wire.relays).toHaveLength(2))
  await runner.open(openRecord('toolu_2'))
  await vi.waitFor(() => expect(seen).toContain('toolu_2'))
  expect(hasEnded).toBe(false)

  await sandbox.detached.kill(handle)
  expect(await ended).toEqual({ exitCode: null, signal: null })
  stop.abort()
  await watching
})
