import { createFakeClock } from '@sandagent/core/testing'
import { describe, expect, it } from 'vitest'
import type { LocalSandbox } from '../../src/index.ts'
import { readRun, stopRun } from '../../src/index.ts'
import { recordedRun } from '../support/recorded-run.ts'
import { chunksIn, eventsOf, followed, gone, isRunning, noted, started } from '../support/runs.ts'
import { refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

/** Waits for a run to say the number of the process that matters. */
async function processSaidBy(sandbox: LocalSandbox, runId: string): Promise<number> {
  for await (const event of followed(sandbox, runId)) {
    const [chunk] = chunksIn([event])
    if (chunk?.type === 'data-ready') return chunk.data as number
  }
  throw new Error('It said no number')
}

describe('stopRun', () => {
  it('lets the runner end in order, and keeps the reason', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'waits' })
    const pid = await processSaidBy(sandbox, runId)
    expect(await stopRun(sandbox, runId, { reason: 'Enough' })).toMatchObject({
      state: 'stopped',
      reason: 'Enough',
    })
    expect(await isRunning(pid)).toBe(false)
    expect(await noted(sandbox, runId)).toMatchObject({ state: 'stopped', exitCode: 143 })
    expect((await eventsOf(sandbox, runId)).slice(-2)).toEqual([
      'id: 1-3\ndata: {"type":"abort"}',
      'id: 1-4\ndata: [DONE]',
    ])
  })

  it('kills a runner that does not listen, and what it started', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'does not listen' })
    const child = await processSaidBy(sandbox, runId)
    expect(await stopRun(sandbox, runId, { graceMs: 50 })).toMatchObject({ state: 'stopped' })
    await gone(child)
    expect(await noted(sandbox, runId)).toMatchObject({ state: 'stopped', exitCode: null, signal: 'SIGKILL' })
    expect((await eventsOf(sandbox, runId)).slice(-2)).toEqual(['data: {"type":"abort"}', 'data: [DONE]'])
  })

  it('kills what a crashed runner left behind', async () => {
    const sandbox = await tempSandbox()
    const { runId } = await started(sandbox, { agent: 'leaves a child' })
    const child = await processSaidBy(sandbox, runId)
    expect(await noted(sandbox, runId)).toMatchObject({ state: 'crashed' })
    expect(await isRunning(child)).toBe(true)
    expect(await stopRun(sandbox, runId)).toMatchObject({ state: 'stopped' })
    await gone(child)
  })

  it('leaves a run that has ended what it is', async () => {
    const sandbox = await tempSandbox()
    for (const [agent, state] of [
      ['finishes', 'finished'],
      ['fails', 'failed'],
    ] as const) {
      const { runId } = await started(sandbox, { agent })
      const ended = await noted(sandbox, runId)
      expect(ended.state).toBe(state)
      expect(await stopRun(sandbox, runId, { reason: 'too late' })).toEqual(ended)
      expect(await readRun(sandbox, runId)).toEqual(ended)
    }
  })

  it('stops nothing when there is no such run', async () => {
    const sandbox = await tempSandbox()
    expect(await refusalOf(stopRun(sandbox, 'r'))).toMatchObject({ code: 'NOT_FOUND', facts: { runId: 'r' } })
    expect((await refusalOf(stopRun(sandbox, '../r'))).code).toBe('INVALID_REQUEST')
  })

  it('waits no longer for a runner than it takes to end', async () => {
    const { sandbox, files, paths, interrupt, kill, end } = await recordedRun()
    interrupt.mockImplementation(async () => end())
    const clock = createFakeClock()
    expect(await stopRun(sandbox, 'r', { clock })).toMatchObject({ state: 'stopped' })
    expect(clock.pending()).toBe(0)
    expect(await files.read(paths.stop)).toBe('{}')
    // The rest of its process group is killed.
    expect(kill.mock.calls).toEqual([['p1']])
  })

  it('gives a runner five seconds to end, and waits until a killed one is gone', async () => {
    const { sandbox, kill, interrupt, end } = await recordedRun()
    const clock = createFakeClock()
    const startedAt = clock.now()
    let killedAt = 0
    kill.mockImplementation(async () => {
      killedAt = clock.now()
      clock.after(100, end)
    })
    let isStopped = false
    const stopping = stopRun(sandbox, 'r', { clock }).finally(() => {
      isStopped = true
    })
    while (!isStopped) {
      await Promise.race([clock.whenPending(killedAt ? 2 : 1), stopping])
      clock.advance(20)
    }
    expect(interrupt.mock.calls).toEqual([['p1']])
    expect(killedAt - startedAt).toBe(5000)
    expect(await stopping).toMatchObject({ state: 'stopped' })
  })
})
