import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, type Mock, onTestFinished, vi } from 'vitest'
import { createPace, poll } from '../../src/watch/poll.ts'

describe('createPace', () => {
  it('slows down while rounds find nothing, to half a second', () => {
    const delayAfter = createPace()
    const delays = Array.from({ length: 20 }, () => delayAfter(false, 0))
    expect(delays[0]).toBeCloseTo(50)
    expect(delays).toEqual([...delays].sort((a, b) => a - b))
    expect(delays.at(-1)).toBe(500)
  })

  it('is quick again once a round found something', () => {
    const delayAfter = createPace()
    for (let n = 0; n < 20; n++) delayAfter(false, 0)
    expect(delayAfter(true, 0)).toBe(50)
  })

  it('leaves at most 80 ms between quick rounds while a name is fresh', () => {
    const delayAfter = createPace()
    for (let n = 0; n < 20; n++) delayAfter(false, 0, false)
    expect(delayAfter(false, 1, true)).toBe(80)
    expect(delayAfter(false, 20, true)).toBe(200)
  })

  it('leaves longer and longer pauses beside long rounds, so that polling stays a small share', () => {
    const delayAfter = createPace()
    expect(Array.from({ length: 4 }, () => delayAfter(true, 100))).toEqual([1000, 2000, 4000, 5000])
    expect(Array.from({ length: 2 }, () => delayAfter(true, 1000))).toEqual([10_000, 10_000])
  })

  it('takes one slow round for a busy machine', () => {
    const delayAfter = createPace()
    delayAfter(true, 1000)
    expect(delayAfter(true, 1)).toBe(50)
    expect(delayAfter(true, 1000)).toBe(1000)
  })

  it('does not fall asleep when the clock jumped during a round', () => {
    expect(createPace()(true, 24 * 60 * 60 * 1000)).toBe(1000)
    expect(createPace()(true, -1000)).toBe(50)
  })
})

/** Lets a poll go on, one round after the other. Resolves to the pauses between its rounds. */
async function pauses(
  clock: ReturnType<typeof createFakeClock>,
  round: Mock,
  forMs: number,
): Promise<number[]> {
  const found: number[] = []
  for (const endsAt = clock.now() + forMs; clock.now() < endsAt; ) {
    while (clock.pending() === 0) await Promise.resolve()
    const [calls, startedAt] = [round.mock.calls.length, clock.now()]
    while (round.mock.calls.length === calls) clock.advance(1)
    found.push(clock.now() - startedAt)
  }
  return found
}

describe('poll', () => {
  it('leaves short pauses in the first minute, and in the first minute of each further name', async () => {
    const clock = createFakeClock()
    const round = vi.fn(async () => false)
    const { refresh, stop } = poll(round, clock)
    onTestFinished(stop)
    expect(Math.max(...(await pauses(clock, round, 59_000)))).toBe(80)
    expect((await pauses(clock, round, 10_000)).at(-1)).toBe(500)
    refresh()
    await pauses(clock, round, 1)
    expect(Math.max(...(await pauses(clock, round, 59_000)))).toBe(80)
  })

  it('begins at once and runs one round at a time', async () => {
    const clock = createFakeClock()
    let finish = (_: boolean): void => {}
    const round = vi.fn(
      () =>
        new Promise<boolean>((resolve) => {
          finish = resolve
        }),
    )
    const { stop } = poll(round, clock)
    expect(round).toHaveBeenCalledTimes(1)
    clock.advance(60_000)
    expect(round).toHaveBeenCalledTimes(1)
    finish(false)
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(10_000)
    expect(round).toHaveBeenCalledTimes(2)
    stop()
  })

  it('leaves no timer when it is stopped between rounds or during one', async () => {
    const clock = createFakeClock()
    const between = poll(async () => false, clock)
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    between.stop()
    expect(clock.pending()).toBe(0)

    const round = vi.fn(async () => false)
    poll(round, clock).stop()
    await round.mock.results[0]?.value
    await Promise.resolve()
    expect(clock.pending()).toBe(0)
    clock.advance(60_000)
    expect(round).toHaveBeenCalledTimes(1)
  })
})
