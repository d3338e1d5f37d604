import { describe, expect, it } from 'vitest'
import { MAX_TIMEOUT_MS, parseWith, timeoutSchema } from '../../src/internal.ts'

const parse = (input: unknown) => parseWith(timeoutSchema, input, 'INVALID_REQUEST', 'Too long', 'timeoutMs')

describe('timeoutSchema', () => {
  it.each([0, 1.5, MAX_TIMEOUT_MS, 'never'])('takes %j', (timeout) => {
    expect(parse(timeout)).toBe(timeout)
  })

  it.each([-1, MAX_TIMEOUT_MS + 1, Number.NaN, Number.POSITIVE_INFINITY, '1000', null])(
    'refuses %j',
    (timeout) => {
      expect(() => parse(timeout)).toThrow('timeoutMs: expected milliseconds up to a year, or "never"')
    },
  )
})
