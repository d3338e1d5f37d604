import { describe, expect, it } from 'vitest'
import { runAgent } from '../../src/index.ts'
import { createRun } from '../agent-run.ts'

describe('runAgent', () => {
  it('frames what the agent writes as one message of this run', async () => {
    const { run, chunks, events } = await createRun()
    await runAgent(({ ui }) => ui.textStart('t'), run)
    expect(chunks()).toEqual([
      { type: 'start', messageId: 'message-run_1' },
      { type: 'text-start', id: 't' },
      { type: 'finish' },
    ])
    expect(events.at(-1)).toBe('data: [DONE]\n\n')
  })

  it('tells of a failure in the stream, ends it, and throws the failure on', async () => {
    const { run, chunks, events } = await createRun()
    const failure = new Error('out of paper')
    await expect(runAgent(() => Promise.reject(failure), run)).rejects.toBe(failure)
    expect(chunks().at(-1)).toEqual({ type: 'error', errorText: 'out of paper' })
    expect(events.at(-1)).toBe('data: [DONE]\n\n')
  })

  it('tells an aborted run from a finished one', async () => {
    const { run, chunks } = await createRun({ signal: AbortSignal.abort() })
    await runAgent(async () => {}, run)
    expect(chunks().at(-1)).toEqual({ type: 'abort' })
  })
})
