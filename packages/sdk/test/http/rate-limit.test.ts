import type { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { createRateLimit } from '../../src/http/rate-limit.ts'

const allowed = (limit: (subject: string) => void, subject: string): boolean => {
  try {
    limit(subject)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'RATE_LIMITED' })
    return false
  }
}

const countOf = (limit: (subject: string) => void, subject: string): number => {
  let count = 0
  while (allowed(limit, subject)) count++
  return count
}

describe('createRateLimit', () => {
  it('lets a burst through, then as many as time allows', () => {
    const clock = createFakeClock()
    const limit = createRateLimit(clock)
    expect(countOf(limit, 'a')).toBe(60)
    clock.advance(1000)
    expect(countOf(limit, 'a')).toBe(5)
    clock.advance(3_600_000)
    expect(countOf(limit, 'a')).toBe(60)
  })

  it('counts each subject on its own', () => {
    const limit = createRateLimit(createFakeClock())
    expect(countOf(limit, 'a')).toBe(60)
    expect(countOf(limit, 'b')).toBe(60)
  })

  it('gives nothing for a clock that goes back', () => {
    const clock = createFakeClock()
    const limit = createRateLimit(clock)
    countOf(limit, 'a')
    clock.advance(-60_000)
    expect(allowed(limit, 'a')).toBe(false)
  })

  it('remembers a bounded number of subjects, the ones in use', () => {
    const limit = createRateLimit(createFakeClock())
    countOf(limit, 'quiet')
    countOf(limit, 'busy')
    for (let n = 0; n < 10_000; n++) {
      limit(`other ${n}`)
      if (n % 1000 === 0) expect(allowed(limit, 'busy')).toBe(false)
    }
    expect(allowed(limit, 'busy')).toBe(false)
    expect(allowed(limit, 'quiet')).toBe(true)
  })

  it('says how long to wait', () => {
    const clock = createFakeClock()
    const limit = createRateLimit(clock)
    countOf(limit, 'a')
    const waitMs = (): unknown => {
      try {
        limit('a')
      } catch (error) {
        return (error as AskError).facts.retryAfterMs
      }
      return null
    }
    expect(waitMs()).toBe(200)
    clock.advance(50)
    expect(waitMs()).toBe(150)
    clock.advance(200)
    expect(waitMs()).toBeNull()
  })

  it('remembers ten thousand subjects', () => {
    const limit = createRateLimit(createFakeClock())
    countOf(limit, 'first')
    for (let n = 1; n < 10_000; n++) limit(`other ${n}`)
    expect(allowed(limit, 'first')).toBe(false)
    limit('one more')
    expect(allowed(limit, 'first')).toBe(false)
    for (let n = 0; n < 10_000; n++) limit(`new ${n}`)
    expect(allowed(limit, 'first')).toBe(true)
  })
})
