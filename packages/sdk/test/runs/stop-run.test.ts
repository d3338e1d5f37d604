import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { type LocalSandbox, readRun, stopRun } from '../../src/index.ts'
import { attemptPaths } from '../../src/run-records/run-paths.ts'
import { claimNext } from '../../src/runs/claim-start.ts'
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
    expect(await stopRun(sandbox, runId, { reason: 'Enough', graceMs: 60_000 })).toMatchObject({
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

  it.each([1, 2])('leaves a process alone that ends start %d while the stop is written', async (latest) => {
    const { sandbox, files, paths, record, interrupt, kill } = await recordedRun()
    const { writeAtomic } = files
    vi.spyOn(files, 'writeAtomic').mockImplementation(async (path, text, options) => {
      await writeAtomic(path, text, options)
      if (path !== paths.stop) return
      await writeAtomic(paths.record, JSON.stringify({ ...record, endedAt: record.startedAt }))
      const next = { ...record, attempt: 2, process: 'p2', endedAt: record.startedAt }
      if (latest === 2) await writeAtomic(attemptPaths(sandbox, 'r', 2).record, JSON.stringify(next))
    })
    await stopRun(sandbox, 'r')
    expect(interrupt).not.toHaveBeenCalled()
    expect(kill).not.toHaveBeenCalled()
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

  describe('a run that is started again meanwhile', () => {
    /** A run whose first process ends when it is asked to. Then this process takes its next start. */
    const startedAgain = async () => {
      const running = new Set(['p1'])
      const end = async (handle: string): Promise<void> => void running.delete(handle)
      const kill = vi.fn(end)
      const isRunning = async (handle: string) => running.has(handle)
      const { sandbox, files, record } = await recordedRun({ kill, isRunning })
      const next = attemptPaths(sandbox, 'r', 2)
      const begin = async (): Promise<void> => {
        running.add('p2')
        const text = JSON.stringify({ ...record, attempt: 2, process: 'p2' })
        await files.writeAtomic(next.record, text, { exclusive: true })
      }
      vi.spyOn(sandbox.detached, 'interrupt').mockImplementation(async (handle) => {
        await end(handle)
        if (handle === 'p1') await claimNext(sandbox, 'r', 1, createFakeClock())
      })
      return { sandbox, files, next, begin, kill }
    }

    it('is stopped again', async () => {
      const { sandbox, files, next, begin, kill } = await startedAgain()
      kill.mockImplementationOnce(begin)
      const stopped = await stopRun(sandbox, 'r', { reason: 'Enough' })
      expect(stopped).toMatchObject({ state: 'stopped', attempt: 2, reason: 'Enough' })
      expect(kill.mock.calls).toEqual([['p1'], ['p2']])
      expect(await files.read(next.stop)).toBe('{"reason":"Enough"}')
    })

    it('is stopped although its host removes the new start', async () => {
      const { sandbox, files, next, begin, kill } = await startedAgain()
      await begin()
      kill.mockImplementationOnce(async () => {
        await files.remove(next.record)
        await files.remove(next.folder)
      })
      const stopped = await stopRun(sandbox, 'r', { reason: 'Enough' })
      expect(stopped).toMatchObject({ state: 'stopped', attempt: 1, reason: 'Enough' })
      expect(await files.read(attemptPaths(sandbox, 'r', 1).stop)).toBe('{"reason":"Enough"}')
    })

    it('does not begin', async () => {
      const { sandbox, begin } = await startedAgain()
      expect(await stopRun(sandbox, 'r')).toMatchObject({ state: 'stopped', attempt: 1 })
      expect(await refusalOf(begin())).toMatchObject({ code: 'CONFLICT' })
    })

    it('does not begin when the start before has finished', async () => {
      const { sandbox, files, paths, end } = await recordedRun()
      await files.writeAtomic(paths.stream, 'data: {"type":"finish"}\n\ndata: [DONE]\n\n')
      end()
      await claimNext(sandbox, 'r', 1, createFakeClock())
      expect(await stopRun(sandbox, 'r')).toMatchObject({ state: 'finished', attempt: 1 })
      expect(await files.read(attemptPaths(sandbox, 'r', 2).record)).toContain('abandoned')
    })

    it('is stopped again when it begins while the stop prevents it', async () => {
      const { sandbox, files, begin } = await startedAgain()
      const { writeAtomic } = files
      vi.spyOn(files, 'writeAtomic').mockImplementation(async (path, text, options) => {
        if (text.includes('abandoned')) await begin()
        await writeAtomic(path, text, options)
      })
      expect(await stopRun(sandbox, 'r')).toMatchObject({ state: 'stopped', attempt: 2 })
    })
  })

  it('prevents the first start of a run', async () => {
    const sandbox = await tempSandbox()
    await claimNext(sandbox, 'r', 0, createFakeClock())
    expect(await refusalOf(stopRun(sandbox, 'r'))).toMatchObject({ code: 'NOT_FOUND' })
    expect(await sandbox.files.read(attemptPaths(sandbox, 'r', 1).record)).toContain('abandoned')
  })
})
