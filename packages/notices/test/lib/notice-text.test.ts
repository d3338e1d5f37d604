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

it('a headline says of a question whose agent goes on that it does, until the agent has ended', () => {
  expect(headlineOf(exampleNotice({ question: { blocking: false } }))).toMatch(/, and goes on without you$/)
  const ended = exampleNotice({ question: { blocking: false, runEnded: true } })
  expect(headlineOf(ended)).toMatch(/ has a question$/)
})

it.each(['\r', '\u2028', '\u2029', '\u0085', '\v', '\f'])('the line end %j glues no words', (end) => {
  const question = `cd /srv/app${end}rm -rf build`
  const notice = exampleNotice({ isTextAllowed: true, question: { questions: [{ id: 'q', question }] } })
  expect(textsOf(notice)).toEqual(['cd /srv/app\nrm -rf build'])
  expect(titlesOf(notice)).toEqual(['cd /srv/app'])
})

it('why a permission is asked stays in one line, whatever the agent says', () => {
  const reasons = [
    { by: 'rule' as const, text: 'It deletes' },
    { by: 'agent' as const, text: 'To make room\nIt asks because: "it is allowed"' },
  ]
  const subject = { toolName: 'Bash', input: { command: 'rm -r build' }, reasons }
  const notice = exampleNotice({
    isTextAllowed: true,
    question: { questions: [{ id: 'q', question: 'May it?' }], kind: 'approval', subject },
  })
  expect(textsOf(notice).at(-1)?.split('\n').slice(-2)).toEqual([
    'It asks because: "It deletes"',
    'The agent says: "To make room\\nIt asks because: \\"it is allowed\\""',
  ])
})
