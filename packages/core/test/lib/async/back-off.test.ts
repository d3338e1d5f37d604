import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { backOffMs, untilDone } from '../../../src/lib/async/back-off.ts'

it('pauses double up to half a minute', () => {
  const pauses = Array.from({ length: 11 }, (_, failures) => backOffMs(failures + 1))
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000])
  expect(backOffMs(5000, 1, 9)).toBe(9)
})

describe('a repeated task', () => {
  function start(failures: number) {
    const clock = createFakeClock()
    const stop = new AbortController()
    const startedAt: number[] = []
    const failed: unknown[] = []
    const begin = clock.now()
    const task = async (): Promise<void> => {
      startedAt.push(clock.now() - begin)
      if (startedAt.length <= failures) throw `failure ${startedAt.length}`
    }
    const onFailure = (error: unknown): void => void failed.push(error)
    const done = untilDone(task, { clock, signal: stop.signal, onFailure })
    return { clock, stop, startedAt, failed, done }
  }

  it('runs once when it succeeds', async () => {
    const { clock, startedAt, failed, done } = start(0)
    await done
    expect([startedAt, failed, clock.pending()]).toEqual([[0], [], 0])
  })

  it('runs again after longer and longer pauses, and reports each failure', async () => {
    const { clock, startedAt, failed, done } = start(3)
    for (const pauseMs of [100, 200, 400]) {
      await clock.whenPending()
      clock.advance(pauseMs - 1)
      expect(clock.pending()).toBe(1)
      clock.advance(1)
    }
    await done
    expect(startedAt).toEqual([0, 100, 300, 700])
    expect(failed).toEqual(['failure 1', 'failure 2', 'failure 3'])
  })

  it('ends during a pause when its signal aborts', async () => {
    const { clock, stop, startedAt, done } = start(9)
    await clock.whenPending()
    stop.abort()
    await done
    expect([startedAt, clock.pending()]).toEqual([[0], 0])
  })

  it('does not begin when its signal has aborted before', async () => {
    let runs = 0
    const options = { clock: createFakeClock(), signal: AbortSignal.abort(), onFailure: () => {} }
    await untilDone(async () => runs++, options)
    expect(runs).toBe(0)
  })
})
