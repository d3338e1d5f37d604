import { expect, it } from 'vitest'
import { headlineOf, textsOf, titlesOf } from '../../src/lib/notice-text.ts'
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

it.each(['\r', '\u2028', '\u2029', '\u0085', '\v', '\f'])('the line end %j glues no words', (end) => {
  const question = `cd /srv/app${end}rm -rf build`
  const notice = exampleNotice({ isTextAllowed: true, question: { questions: [{ id: 'q', question }] } })
  expect(textsOf(notice)).toEqual(['cd /srv/app\nrm -rf build'])
  expect(titlesOf(notice)).toEqual(['cd /srv/app'])
})
