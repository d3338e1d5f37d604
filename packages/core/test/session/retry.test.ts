import { describe, expect, it } from 'vitest'
import { AskError, type AskErrorCode } from '../../src/lib/errors.ts'
import { hostsPauseMs, mayTryAgain, retryDelayMs } from '../../src/session/retry.ts'

const error = (code: AskErrorCode, facts = {}) => new AskError(code, 'failed', { facts })

describe('the pause after failures', () => {
  it('doubles from one second up to half a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map((failures) => retryDelayMs(failures, 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ])
  })

  it('is down to half as long by chance', () => {
    expect(retryDelayMs(1, 0)).toBe(500)
    expect(retryDelayMs(2, 0.5)).toBe(1500)
  })
})

describe('a failed request', () => {
  it.each<[AskErrorCode, object]>([
    ['RATE_LIMITED', {}],
    ['RATE_LIMITED', { status: 429 }],
    ['UNAUTHENTICATED', { status: 401 }],
    ['UNREACHABLE', {}],
    ['UNREACHABLE', { status: 'none' }],
    ['UNREACHABLE', { status: 399 }],
    ['UNREACHABLE', { status: 408 }],
    ['UNREACHABLE', { status: 500 }],
    ['UNREACHABLE', { status: 503 }],
  ])('is tried again at %s with %j', (code, facts) => {
    expect(mayTryAgain(error(code, facts))).toBe(true)
  })

  it.each<[AskErrorCode, object]>([
    ['UNREACHABLE', { status: 400 }],
    ['UNREACHABLE', { status: 404 }],
    ['UNREACHABLE', { status: 499 }],
    ['CONFLICT', {}],
    ['FORBIDDEN', { status: 403 }],
    ['INVALID_ANSWERS', { status: 500 }],
  ])('is final at %s with %j', (code, facts) => {
    expect(mayTryAgain(error(code, facts))).toBe(false)
  })

  it('says how long the host wants to be left alone', () => {
    expect(hostsPauseMs(error('RATE_LIMITED', { retryAfterMs: 5000 }))).toBe(5000)
    for (const retryAfterMs of [undefined, 0, -5, '5000', Number.NaN])
      expect(hostsPauseMs(error('RATE_LIMITED', { retryAfterMs }))).toBe(0)
  })
})
