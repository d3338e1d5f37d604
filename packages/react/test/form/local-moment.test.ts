import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isSkipped, localText, momentsAt } from '../../src/form/typed/local-moment.ts'

afterEach(() => vi.unstubAllEnvs())

const textsAt = (zone: string, local: string): string[] => {
  vi.stubEnv('TZ', zone)
  return momentsAt(local).map(({ text }) => text)
}

describe('the moments that a local time is', () => {
  it.each([
    ['Europe/Berlin', '2026-07-31T14:30', ['+02:00']],
    ['Europe/Berlin', '2026-03-29T01:59', ['+01:00']],
    ['Europe/Berlin', '2026-03-29T02:30', []],
    ['Europe/Berlin', '2026-03-29T03:00', ['+02:00']],
    ['Europe/Berlin', '2026-10-25T02:30', ['+02:00', '+01:00']],
    ['Europe/Berlin', '2026-10-25T03:00', ['+01:00']],
    ['America/New_York', '2026-11-01T01:30', ['-04:00', '-05:00']],
    ['America/New_York', '2026-03-08T02:00', []],
    // Clocks move by half an hour there.
    ['Australia/Lord_Howe', '2026-10-04T02:15', []],
    ['Australia/Lord_Howe', '2026-04-05T01:45', ['+11:00', '+10:30']],
    // A day that did not exist there.
    ['Pacific/Apia', '2011-12-30T12:00', []],
    ['Asia/Kolkata', '2026-01-31T14:30', ['+05:30']],
    ['UTC', 'soon', []],
  ])('in %s, %s, have the offsets %j', (zone, local, offsets) => {
    expect(textsAt(zone, local)).toEqual(offsets.map((offset) => `${local}${offset}`))
    expect(isSkipped(local)).toBe(offsets.length === 0 && local !== 'soon')
  })

  it('are those that this clock shows so, and every moment is one of them', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const minute = fc.integer({ min: Date.UTC(1995, 0) / 60_000, max: Date.UTC(2035, 0) / 60_000 })
    fc.assert(
      fc.property(minute, (at) => {
        const moment = at * 60_000
        const local = localText(new Date(moment).toISOString())
        const moments = momentsAt(local).map(({ text }) => text)
        for (const text of moments) expect(localText(text)).toBe(local)
        expect(moments.map((text) => Date.parse(text))).toContain(moment)
      }),
    )
  })
})
