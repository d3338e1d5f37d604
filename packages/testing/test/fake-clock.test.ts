import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../src/index.ts'

describe('createFakeClock', () => {
  it('stands still, and begins where the test says', () => {
    const clock = createFakeClock('2030-05-01T00:00:00Z')
    expect(new Date(clock.now()).toISOString()).toBe('2030-05-01T00:00:00.000Z')
  })

  it('fires due timers by their times, and each sees its own time', () => {
    const clock = createFakeClock()
    const start = clock.now()
    const fired: [string, number][] = []
    const note = (name: string) => () => fired.push([name, clock.now() - start])
    clock.after(200, note('second'))
    clock.after(100, note('first'))
    clock.after(300, note('third'))
    clock.advance(200)
    expect(fired).toEqual([
      ['first', 100],
      ['second', 200],
    ])
    expect(clock.pending()).toBe(1)
  })

  it('fires a timer that a timer set, if it is due as well', () => {
    const clock = createFakeClock()
    const times: number[] = []
    const tick = (): void => {
      times.push(clock.now())
      clock.after(100, tick)
    }
    clock.after(100, tick)
    clock.advance(350)
    expect(times.map((time) => time - (times[0] as number))).toEqual([0, 100, 200])
  })

  it('takes a timer back', () => {
    const clock = createFakeClock()
    const takeBack = clock.after(100, () => expect.unreachable())
    takeBack()
    clock.advance(1000)
    expect(clock.pending()).toBe(0)
  })

  it('says when so many timers wait', async () => {
    const clock = createFakeClock()
    let isMet = false
    const met = clock.whenPending(2).then(() => {
      isMet = true
    })
    clock.after(100, () => {})
    await Promise.resolve()
    expect(isMet).toBe(false)
    clock.after(100, () => {})
    await met
    await clock.whenPending()
  })
})
