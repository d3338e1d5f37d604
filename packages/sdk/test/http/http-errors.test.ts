import { AskError, type AskErrorCode, invalid } from '@sandagent/core/internal'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { errorResponse } from '../../src/http/replies.ts'

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

  it('is never stored, and is taken for nothing but JSON', () => {
    const logged = (): void => {}
    for (const error of [new AskError('CONFLICT', 'why'), new Error('secret')]) {
      const { headers } = errorResponse(error, logged)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('retry-after')).toBeNull()
    }
  })

  it.each([
    [1, '1'],
    [1000, '1'],
    [1001, '2'],
  ])('says after %i ms as whole seconds when to try again', (retryAfterMs, seconds) => {
    const error = new AskError('RATE_LIMITED', 'why', { facts: { retryAfterMs } })
    const { headers } = errorResponse(error, unexpected)
    expect(headers.get('retry-after')).toBe(seconds)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    ['responses.q1.selected.0', 'responses.q1.selected.0', 'why'],
    ['', '', 'why'],
    ['answers.Delete it?.0', 'answers', 'This request has faults'],
    [`answers.${'x'.repeat(100)}`, `answers.${'x'.repeat(100)}`, 'why'],
    [`answers.${'x'.repeat(101)}`, 'answers', 'This request has faults'],
  ])('repeats of the path %j only what is no text of the client', async (path, shown, message) => {
    const faults = [
      { path: 'answers', expected: 'an object' },
      { path, expected: 'a text' },
    ]
    const response = errorResponse(new AskError('INVALID_ANSWERS', 'why', { faults }), unexpected)
    expect((await response.json()).error).toEqual({
      code: 'INVALID_ANSWERS',
      message,
      faults: [
        { path: 'answers', expected: 'an object' },
        { path: shown, expected: 'a text' },
      ],
    })
  })

  it('has at most 50 faults, and at most 300 characters of each text', async () => {
    const errorWith = async (count: number, text: string) => {
      const faults = Array.from({ length: count }, () => ({ path: 'answers', expected: text }))
      const response = errorResponse(new AskError('INVALID_ANSWERS', text, { faults }), unexpected)
      return (await response.json()).error
    }
    const longest = 'x'.repeat(300)
    const whole = await errorWith(50, longest)
    expect(whole.faults).toHaveLength(50)
    expect([whole.message, whole.faults[0].expected]).toEqual([longest, longest])
    const cut = await errorWith(51, `${longest}y`)
    expect(cut.faults).toHaveLength(50)
    expect([cut.message, cut.faults[0].expected]).toEqual([`${longest}…`, `${longest}…`])
  })

  it('goes to the console if the host says nothing else', () => {
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {})
    onTestFinished(() => console.mockRestore())
    expect(errorResponse(new Error('the disk is gone')).status).toBe(500)
    expect(console).toHaveBeenCalledWith(expect.stringContaining('the disk is gone'))
  })
})
