import { openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { checkLimit, cursorOf, cursorPlaceOf, isAfter, parseCursor } from '../../src/answers/list-cursor.ts'

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const thrownBy = (call: () => unknown): unknown => {
  try {
    return call()
  } catch (error) {
    return error
  }
}

describe('a cursor', () => {
  it('is the place of its question', () => {
    const question = { toolCallId: 'ü/1', askedAt: '2026-01-01T00:00:00.500Z' }
    expect(cursorOf(question)).toMatch(/^[\w-]+$/)
    expect(parseCursor(cursorOf(question))).toEqual(question)
    const record = openRecord('ü/1', { askedAt: question.askedAt })
    expect(cursorPlaceOf({ toolCallId: 'ü/1', record })).toEqual(question)
  })

  it('of a question without a record has no time', () => {
    const place = { toolCallId: 'a' }
    expect(parseCursor(cursorOf({ toolCallId: 'a' }))).toEqual(place)
    expect(cursorPlaceOf({ toolCallId: 'a' })).toEqual(place)
  })

  it.each([
    '',
    'x',
    encoded('text'),
    encoded({}),
    encoded([]),
    encoded([1]),
    encoded(['1', 'a']),
    encoded([1, 2]),
    encoded([1, 'a', 2]),
    encoded([8.64e15 + 1, 'a']),
    encoded([-1e300, 'a']),
  ])('is not %j', (cursor) => {
    expect(thrownBy(() => parseCursor(cursor))).toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [{ path: 'cursor', expected: 'a cursor of an earlier list' }],
    })
  })
})

describe('the limit of a list', () => {
  it('is a whole number from 1 to the most', () => {
    expect(checkLimit(1)).toBe(1)
    expect(checkLimit(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER)
    expect(checkLimit(10, 10)).toBe(10)
  })

  it.each([0, -1, 1.5, Number.NaN, Infinity])('is not %d', (limit) => {
    expect(thrownBy(() => checkLimit(limit))).toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [{ path: 'limit', expected: 'a whole number from 1' }],
    })
  })

  it('is not more than the most, which is named', () => {
    expect(thrownBy(() => checkLimit(11, 10))).toMatchObject({
      faults: [{ path: 'limit', expected: 'a whole number from 1 to 10' }],
    })
  })
})

it('questions are in the order of their times, then of their ids, and those without a record come last', () => {
  const places = [
    { askedAt: '2026-01-01T00:00:00.001Z', toolCallId: 'b' },
    { askedAt: '2026-01-01T00:00:00.002Z', toolCallId: 'a' },
    { askedAt: '2026-01-01T00:00:00.002Z', toolCallId: 'b' },
    { toolCallId: 'a' },
    { toolCallId: 'b' },
  ]
  for (const [index, place] of places.entries())
    for (const [other, place2] of places.entries()) expect(isAfter(place, place2)).toBe(index > other)
})
