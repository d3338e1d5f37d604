import { expect, it } from 'vitest'
import { headlineOf } from '../../src/lib/notice-text.ts'
import { exampleNotice } from '../example-notice.ts'

it.each([
  ['The shop', 'The shop'],
  ['The shop / Berlin', 'The shop / Berlin'],
  ['~/work/shop', 'shop'],
  ['/srv/customers/shop/', 'shop'],
  ['C:\\work\\shop', 'shop'],
  ['env:/tmp/shop', 'shop'],
  ['ssh ada@host.example:shop', 'shop'],
  ['/', '/'],
])('a headline about %j says that the agent is in %j', (sandboxName, place) => {
  expect(headlineOf({ ...exampleNotice(), sandboxName })).toBe(`An agent in ${place} has a question`)
})
