import type { Dialect } from '../dialect.ts'
import { formatResult, parseAnswer } from './answer.ts'
import { formatRequest, parseRequest } from './request.ts'

/** AI SDK harness, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'AI SDK harness',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  limits: { questions: [1], options: [0] },
  losses: [
    {
      of: 'question',
      what: 'placeholder, default, bounds of numbers, `textFormat`, `recommended`',
      why: 'The tool has no such keys.',
    },
    {
      of: 'question',
      what: '`required` of a single question',
      why: 'One optional question makes all optional.',
    },
    { of: 'response', what: 'notes', why: 'An answer has ids and a text only.' },
    { of: 'response', what: 'whether a question was skipped or not answered', why: 'Neither has an entry.' },
    { of: 'response', what: 'that a default stood in', why: 'The result does not say who decided.' },
  ],
}
