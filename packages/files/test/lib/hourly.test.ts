import { describe, expect, it } from 'vitest'
import { createHourly } from '../../src/lib/hourly.ts'

const HOUR_MS = 3_600_000

describe('what is due once an hour', () => {
  it('is due at first, and again after an hour', () => {
    const isDue = createHourly()
    expect(isDue('a', 0)).toBe('first')
    expect(isDue('a', HOUR_MS - 1)).toBeNull()
    expect(isDue('a', HOUR_MS)).toBe('again')
    expect(isDue('a', HOUR_MS + 1)).toBeNull()
  })

  it('is due for each key by itself', () => {
    const isDue = createHourly()
    expect([isDue('a', 0), isDue('b', 0), isDue('a', 0), isDue('b', 0)]).toEqual([
      'first',
      'first',
      null,
      null,
    ])
  })

  it('is due after the clock was set back by an hour', () => {
    const isDue = createHourly()
    isDue('a', 5 * HOUR_MS)
    expect(isDue('a', 4 * HOUR_MS + 1)).toBeNull()
    expect(isDue('a', 4 * HOUR_MS)).toBe('again')
  })

  it('is due again once too many keys were asked about', () => {
    const isDue = createHourly()
    for (let index = 0; index < 1000; index++) isDue(`${index}`, 0)
    expect(isDue('0', 0)).toBeNull()
    expect(isDue('one more', 0)).toBe('first')
    expect(isDue('0', 0)).toBe('first')
    expect(isDue('one more', 0)).toBeNull()
  })
})
