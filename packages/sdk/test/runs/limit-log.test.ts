import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { readRun } from '../../src/index.ts'
import { attemptPaths } from '../../src/run-records/run-paths.ts'
import { limitLog } from '../../src/runs/watch-over.ts'
import type { DetachedPrograms } from '../../src/sandbox/programs/detached-programs.ts'
import { recordedRun } from '../support/recorded-run.ts'

type Until = NonNullable<DetachedPrograms['until']>

/** A run of at most 1000 bytes whose log is watched. */
async function limited(programs: Partial<DetachedPrograms> = {}) {
  const run = await recordedRun(programs)
  const clock = createFakeClock()
  const stop = new AbortController()
  const limit = () => limitLog(run.sandbox, run.record, { signal: stop.signal, clock })
  const print = (path: string, bytes: number) => run.files.writeAtomic(path, 'x'.repeat(bytes))
  return { ...run, clock, stop, limit, print }
}

describe('the limit of a log', () => {
  it('counts both outputs together, and is looked at every half second', async () => {
    const { sandbox, paths, limit, print, clock, interrupt, end } = await limited()
    interrupt.mockImplementation(async () => end())
    await print(paths.stream, 600)
    await print(paths.errors, 400)
    const limiting = limit()
    await clock.whenPending()
    clock.advance(500)
    await clock.whenPending()
    expect(interrupt).not.toHaveBeenCalled()
    await print(paths.errors, 401)
    clock.advance(499)
    expect(clock.pending()).toBe(1)
    clock.advance(1)
    await limiting
    expect(await readRun(sandbox, 'r')).toMatchObject({
      state: 'stopped',
      reason: 'It printed more than 1000 bytes',
    })
    expect(clock.pending()).toBe(0)
  })

  it('gives a run half a second to end by itself', async () => {
    const { paths, limit, print, clock, interrupt, kill } = await limited()
    await print(paths.stream, 1001)
    const startedAt = clock.now()
    let killedAt: number | undefined
    const killed = kill.getMockImplementation()
    kill.mockImplementation(async (handle) => {
      killedAt = clock.now()
      return killed?.(handle)
    })
    let isDone = false
    const limiting = limit().finally(() => {
      isDone = true
    })
    while (!isDone) {
      await Promise.race([clock.whenPending(), limiting])
      clock.advance(20)
    }
    expect(interrupt).toHaveBeenCalledWith('p1')
    expect((killedAt ?? 0) - startedAt).toBe(500)
  })

  it('stops no later start of the run', async () => {
    const { files, sandbox, record, paths, limit, print, interrupt, kill, end } = await limited()
    end()
    await print(paths.stream, 1001)
    await files.writeAtomic(paths.stop, '{}')
    const next = attemptPaths(sandbox, 'r', 2).record
    await files.writeAtomic(next, JSON.stringify({ ...record, attempt: 2, process: 'p2' }))
    await limit()
    expect([interrupt.mock.calls, kill.mock.calls]).toEqual([[], []])
  })

  it('is no longer looked at after its signal has aborted', async () => {
    const { files, limit, stop, clock } = await limited()
    const stat = vi.spyOn(files, 'stat')
    const limiting = limit()
    await clock.whenPending()
    stop.abort()
    await limiting
    expect(clock.pending()).toBe(0)
    const looks = stat.mock.calls.length
    await limit()
    expect(stat).toHaveBeenCalledTimes(looks)
  })

  it('is waited for by the sandbox, where that can wait', async () => {
    const until = vi.fn(async (..._: Parameters<Until>) => {})
    const { record, paths, limit, print, stop, clock, kill } = await limited({ until })
    await print(paths.stream, 1000)
    await limit()
    expect(until.mock.calls).toEqual([
      ['p1', { files: [paths.stream, paths.errors], bytes: record.maxLogBytes, signal: stop.signal }],
    ])
    expect(until.mock.calls[0]?.[1].signal).toBe(stop.signal)
    // The run has ended by itself.
    expect(kill).not.toHaveBeenCalled()
    expect(clock.pending()).toBe(0)
  })

  it('stops a run of which the sandbox tells that it printed too much', async () => {
    const { sandbox, paths, limit, print, interrupt, end } = await limited({ until: async () => {} })
    interrupt.mockImplementation(async () => end())
    await print(paths.errors, 1001)
    await limit()
    expect(await readRun(sandbox, 'r')).toMatchObject({ state: 'stopped' })
  })

  it('stops nothing when the signal aborts while the sandbox waits', async () => {
    const stop = new AbortController()
    const { sandbox, record, paths, print } = await limited({ until: async () => stop.abort() })
    await print(paths.stream, 1001)
    await limitLog(sandbox, record, { signal: stop.signal, clock: createFakeClock() })
    expect(await readRun(sandbox, 'r')).toMatchObject({ state: 'running' })
  })
})
