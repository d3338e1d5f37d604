import { describe, expect, it } from 'vitest'
import { AskError, type AskErrorCode, invalid } from '../../src/internal.ts'
import { httpStatusOf } from '../../src/lib/errors.ts'

describe('an AskError', () => {
  it('has neither faults nor facts nor a cause where none are given', () => {
    const error = new AskError('GONE', 'It is over')
    expect(error).toMatchObject({
      name: 'AskError',
      code: 'GONE',
      message: 'It is over',
      faults: [],
      facts: {},
    })
    expect(error).toBeInstanceOf(Error)
    expect('cause' in error).toBe(false)
  })

  it('carries what it is given', () => {
    const cause = new Error('before')
    const details = { faults: [{ path: 'a', expected: 'text' }], facts: { status: 1 }, cause }
    expect(new AskError('GONE', 'It is over', details)).toMatchObject(details)
  })
})

describe('the status of a reply', () => {
  it.each<[string, number, AskErrorCode[]]>([
    ['what the client sent is wrong', 400, ['INVALID_QUESTIONS', 'INVALID_ANSWERS', 'INVALID_REQUEST']],
    ['nobody is known', 401, ['UNAUTHENTICATED', 'LINK_INVALID', 'LINK_EXPIRED']],
    ['somebody may not do it', 403, ['FORBIDDEN', 'NOT_ALLOWED', 'CROSS_SITE', 'WRONG_HOST']],
    ['nothing is there', 404, ['NOT_FOUND']],
    ['somebody else was faster', 409, ['CONFLICT', 'CHANGED']],
    ['it is over', 410, ['GONE', 'LINK_USED']],
    ['it is too much', 413, ['TOO_LARGE']],
    ['it is of another kind', 415, ['UNSUPPORTED_MEDIA_TYPE']],
    ['it comes too often', 429, ['RATE_LIMITED']],
    ['the sandbox or the signing key is away', 503, ['UNREACHABLE', 'NO_SIGNING_KEY']],
  ])('where %s is %i', (_, status, codes) => {
    expect(codes.map(httpStatusOf)).toEqual(codes.map(() => status))
  })

  it('is none for a failure of the server itself', () => {
    expect((['INVALID_FILE', 'UNSAFE_PATH'] as const).map(httpStatusOf)).toEqual([undefined, undefined])
  })
})

describe('the error for an input with faults', () => {
  const faults = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `p${index}`, expected: 'text' }))

  it('names up to three faults, and counts the others', () => {
    expect(invalid('INVALID_FILE', 'What', faults(3)).message).toBe(
      'What: p0: expected text; p1: expected text; p2: expected text',
    )
    expect(invalid('INVALID_FILE', 'What', faults(4)).message).toMatch(/p2: expected text; and 1 more$/)
    expect(invalid('INVALID_FILE', 'What', faults(49)).message).toMatch(/; and 46 more$/)
    expect(invalid('INVALID_FILE', 'What', faults(50)).message).toMatch(/; and at least 47 more$/)
  })

  it('lists 50 faults at most, each cut where it is long', () => {
    expect(invalid('INVALID_FILE', 'What', faults(60)).faults).toEqual(faults(50))
    const [fault] = invalid('INVALID_FILE', 'What', [
      { path: 'p'.repeat(600), expected: 'e'.repeat(600) },
    ]).faults
    expect(fault).toEqual({ path: 'p'.repeat(500), expected: 'e'.repeat(500) })
  })

  it('names no place for a fault of the whole input', () => {
    expect(invalid('INVALID_FILE', 'What', [{ path: '', expected: 'an object' }]).message).toBe(
      'What: expected an object',
    )
  })
})

it('an error with long faults still says how many others there are', () => {
  const faults = Array.from({ length: 7 }, (_, index) => ({
    path: `${index}`.repeat(400),
    expected: 'another value '.repeat(30),
  }))
  const { message } = invalid('INVALID_FILE', 'notices.json has no settings of notices', faults)
  expect(message).toMatch(/^notices\.json has no settings of notices: 0000.*…; and 4 more$/)
  expect(message.length).toBeLessThan(2100)
})
