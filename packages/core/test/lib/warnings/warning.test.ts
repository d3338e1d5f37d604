import { describe, expect, it } from 'vitest'
import { AskError } from '../../../src/lib/errors.ts'
import { distinctWarnings, warningOf } from '../../../src/lib/warnings/warning.ts'

const failed = (code: unknown, message = 'It failed') => Object.assign(new Error(message), { code })

describe('warningOf', () => {
  it('has the code and the message of an error, and the tool call if there is one', () => {
    expect(warningOf(new AskError('TOO_LARGE', 'Too long'), 'call_1')).toEqual({
      code: 'TOO_LARGE',
      message: 'Too long',
      toolCallId: 'call_1',
    })
    expect(warningOf(failed('EACCES', 'permission denied'))).toEqual({
      code: 'EACCES',
      message: 'permission denied',
    })
  })

  it.each([new TypeError('no function'), failed(5), 'a text', undefined, { code: 'EACCES' }])(
    'throws %o, which no file caused',
    (error) => {
      let thrown: unknown = 'nothing'
      try {
        warningOf(error)
      } catch (caught) {
        thrown = caught
      }
      expect(thrown).toBe(error)
    },
  )
})

describe('distinctWarnings', () => {
  const collected = () => {
    const seen: string[] = []
    return { seen, warn: distinctWarnings(({ code }) => seen.push(code)) }
  }
  const torn = { code: 'INVALID_FILE', message: 'torn' } as const
  const gone = { code: 'UNREACHABLE', message: 'gone' } as const

  it('passes on each warning about a subject, and the same ones only once', () => {
    const { seen, warn } = collected()
    warn('a', [torn, gone])
    warn('a', [torn, gone])
    expect(seen).toEqual(['INVALID_FILE', 'UNREACHABLE'])
    warn('a', [gone])
    expect(seen).toEqual(['INVALID_FILE', 'UNREACHABLE', 'UNREACHABLE'])
  })

  it('keeps subjects apart', () => {
    const { seen, warn } = collected()
    warn('a', [torn])
    warn('b', [torn])
    expect(seen).toEqual(['INVALID_FILE', 'INVALID_FILE'])
  })

  it('warns again after the warnings of a subject have ended', () => {
    const { seen, warn } = collected()
    warn('a', [])
    warn('a', [torn])
    warn('a', [])
    expect(seen).toEqual(['INVALID_FILE'])
    warn('a', [torn])
    expect(seen).toEqual(['INVALID_FILE', 'INVALID_FILE'])
  })
})
