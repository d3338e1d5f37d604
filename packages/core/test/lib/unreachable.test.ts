import { describe, expect, it } from 'vitest'
import { errorCode, failedWith } from '../../src/lib/error-code.ts'
import { AskError, type AskErrorCode } from '../../src/lib/errors.ts'
import { isFileFault, unreachable } from '../../src/lib/unreachable.ts'

const failed = (code: unknown) => Object.assign(new Error('It failed'), { code })
const fault = (code: AskErrorCode, cause?: unknown) => new AskError(code, 'A fault', { cause })

it('the code of an error is the text that the system gave it', () => {
  expect(errorCode(failed('ENOENT'))).toBe('ENOENT')
  expect([failed(2), new Error('plain'), { code: 'ENOENT' }, 'ENOENT', null].map(errorCode)).toEqual(
    Array(5).fill(undefined),
  )
})

it('a call failed with one of the codes if the system gave it that one', () => {
  expect(failedWith(failed('ENOENT'), ['ENOTDIR', 'ENOENT'])).toBe(true)
  expect(failedWith(failed('EACCES'), ['ENOTDIR', 'ENOENT'])).toBe(false)
  expect(failedWith(failed(undefined), ['', 'undefined'])).toBe(false)
})

it('a file is at fault if it is invalid, unsafe or too large, and in no other case', () => {
  expect(
    (['INVALID_FILE', 'UNSAFE_PATH', 'TOO_LARGE'] as const).map((code) => isFileFault(fault(code))),
  ).toEqual([true, true, true])
  expect([fault('UNREACHABLE'), fault('CONFLICT'), failed('INVALID_FILE'), null].map(isFileFault)).toEqual(
    Array(4).fill(false),
  )
})

describe('unreachable', () => {
  const seen = (error: unknown) => {
    const { code, message, facts, cause } = unreachable('The disk is away', error) as AskError
    return { code, message, facts, isCause: cause === error }
  }

  it.each([
    ['an error of the system', failed('EIO'), 'EIO'],
    ['a file at fault', fault('INVALID_FILE'), 'INVALID_FILE'],
    ['a file at fault because of the system', fault('UNSAFE_PATH', failed('ELOOP')), 'ELOOP'],
  ])('makes an error to retry of %s, and says why', (_, error, reason) => {
    expect(seen(error)).toEqual({
      code: 'UNREACHABLE',
      message: `The disk is away (${reason})`,
      facts: { reason },
      isCause: true,
    })
  })

  it.each([
    fault('CONFLICT'),
    fault('CONFLICT', failed('EIO')),
    fault('UNREACHABLE', failed('EIO')),
    new TypeError('a mistake'),
    'text',
  ])('leaves %o as it is', (error) => {
    expect(unreachable('The disk is away', error)).toBe(error)
  })
})
