import { expect, it } from 'vitest'
import type { Question } from '../../../src/question/question.ts'
import { takesText } from '../../../src/record/view/takes-text.ts'

it.each<[string | undefined, Partial<Question>]>([
  [undefined, {}],
  [undefined, { options: [{ label: 'Yes' }] }],
  ['a secret', { secret: true }],
  ['a whole number (ms)', { typed: { kind: 'number', step: 1, unit: 'ms' } }],
  ['an e-mail address', { typed: { kind: 'email' } }],
  ['a file', { files: { max: 1 } }],
  ['up to 3 files', { files: { max: 3 } }],
])('a list says that “%s” is taken by %o', (text, question) => {
  expect(takesText({ question: 'What?', ...question })).toBe(text)
})
