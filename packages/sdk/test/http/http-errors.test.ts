import { AskError, type AskErrorCode, invalid } from '@sandagent/core/internal'
import { describe, expect, it } from 'vitest'
import { errorResponse } from '../../src/http/http-errors.ts'

const unexpected = (error: unknown): never => {
  throw error
}

describe('errorResponse', () => {
  it.each<[AskErrorCode, number]>([
    ['INVALID_REQUEST', 400],
    ['INVALID_QUESTIONS', 400],
    ['INVALID_ANSWERS', 400],
    ['UNAUTHENTICATED', 401],
    ['FORBIDDEN', 403],
    ['LINK_INVALID', 401],
    ['LINK_EXPIRED', 401],
    ['CROSS_SITE', 403],
    ['WRONG_HOST', 403],
    ['LINK_USED', 410],
    ['CHANGED', 409],
    ['RATE_LIMITED', 429],
    ['NOT_FOUND', 404],
    ['CONFLICT', 409],
    ['GONE', 410],
    ['TOO_LARGE', 413],
    ['UNSUPPORTED_MEDIA_TYPE', 415],
  ])('says %s as %d', async (code, status) => {
    const faults = [{ path: 'answers', expected: 'an object' }]
    const facts = { question: { state: 'open' }, toolCallId: 'toolu_1' }
    const response = errorResponse(new AskError(code, 'why', { faults, facts }), unexpected)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      success: false,
      error: { code, message: 'why', faults },
      question: { state: 'open' },
    })
  })

  it('says UNREACHABLE as 503, and tells the host of it too', async () => {
    const seen: unknown[] = []
    const error = new AskError('UNREACHABLE', 'The question cannot be read (EIO)')
    const response = errorResponse(error, (failure) => seen.push(failure))
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: { code: 'UNREACHABLE', message: error.message } })
    expect(seen).toEqual([error])
  })

  it.each([new Error('secret'), new AskError('UNSAFE_PATH', 'secret'), 'secret'])(
    'says nothing of a failure of the host',
    async (error) => {
      const seen: unknown[] = []
      const response = errorResponse(error, (failure) => seen.push(failure))
      expect(response.status).toBe(500)
      expect(await response.text()).not.toContain('secret')
      expect(seen).toEqual([error])
    },
  )

  it('stays small whatever the request was', async () => {
    const faults = Array.from({ length: 5000 }, () => ({
      path: 'x'.repeat(5000),
      expected: 'y'.repeat(5000),
    }))
    const response = errorResponse(invalid('INVALID_ANSWERS', 'Faults', faults), unexpected)
    expect((await response.text()).length).toBeLessThan(64 * 1024)
  })
})
