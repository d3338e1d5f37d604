import { expect, it } from 'vitest'
import { unreachable, warningOfDatabase } from '../../src/database/unreachable.ts'

const refused = Object.assign(new Error('password authentication failed for user "agents"'), {
  code: '28P01',
})

it('an error for callers has the code of the database, and neither host nor user', () => {
  expect(unreachable(refused)).toMatchObject({
    code: 'UNREACHABLE',
    message: 'The database refuses this (28P01)',
    cause: refused,
  })
})

it('a warning for the log of the host has the database’s own words too', () => {
  expect(warningOfDatabase(refused, 'The database does not notify. ')).toEqual({
    code: 'UNREACHABLE',
    message:
      'The database does not notify. The database refuses this (28P01): password authentication failed for user "agents"',
  })
})
