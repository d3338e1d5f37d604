import { AskError } from '@sandagent/core'
import { expect, it } from 'vitest'
import { fromWireError, toWireError } from '../../src/protocol/wire-errors.ts'

const system = (code: unknown) => Object.assign(new Error('no entry'), { code })
const travel = (error: unknown) => fromWireError(JSON.parse(JSON.stringify(toWireError(error))))

it('an error of a sandbox arrives with its code, its facts and the code of the system', () => {
  const facts = { path: 'a', count: 3, isNew: true, list: ['x'], nothing: undefined }
  const error = travel(new AskError('UNSAFE_PATH', 'A link', { facts, cause: system('ELOOP') }))
  expect(error).toBeInstanceOf(AskError)
  expect(error).toMatchObject({ code: 'UNSAFE_PATH', message: 'A link', cause: { code: 'ELOOP' } })
  expect((error as AskError).facts).toEqual({ path: 'a', count: 3, isNew: true })
})

it('an error without a cause and facts arrives without them', () => {
  const error = travel(new AskError('NOT_FOUND', 'Nothing')) as AskError
  expect([error.cause, error.facts]).toEqual([undefined, {}])
})

it.each([
  'CONFLICT',
  'INVALID_FILE',
  'INVALID_REQUEST',
  'ISOLATION_UNAVAILABLE',
  'NOT_FOUND',
  'TOO_LARGE',
  'UNREACHABLE',
  'UNSAFE_PATH',
] as const)('a relay may report %s', (code) =>
  expect(travel(new AskError(code, 'x'))).toMatchObject({ code }),
)

it.each(['FORBIDDEN', 'GONE', 'CHANGED'] as const)('a relay cannot speak for its host with %s', (code) => {
  const error = travel(new AskError(code, 'x'))
  expect(error).not.toBeInstanceOf(AskError)
  expect(error).toMatchObject({ message: 'x' })
})

it('an error of the system arrives as one', () => {
  const error = travel(system('ENOSPC'))
  expect(error).not.toBeInstanceOf(AskError)
  expect(error).toMatchObject({ message: 'no entry', code: 'ENOSPC' })
})

it.each([system('enoent'), system('X'), system(7), system(`E${'X'.repeat(61)}`), new Error('no entry')])(
  'a code that is none of the system is left out: %s',
  (error) => expect(toWireError(error)).toEqual({ message: 'no entry' }),
)

it('something else than an error is reported as a text', () => {
  expect(toWireError('no entry')).toEqual({ message: 'no entry' })
  expect(travel('no entry')).toEqual(new Error('no entry'))
})

it('at most 20 facts travel, and a message of 2000 characters that is one line', () => {
  const facts = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index]))
  const error = new AskError('CONFLICT', `a\nb${'c'.repeat(3000)}`, { facts })
  expect(Object.keys(toWireError(error).facts ?? {})).toHaveLength(20)
  const { message } = travel(error)
  expect(message.length).toBeGreaterThanOrEqual(1999)
  expect(message.length).toBeLessThan(2010)
  expect(message).not.toContain('\n')
})
