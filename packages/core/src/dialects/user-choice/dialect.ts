import type { Dialect } from '../dialect.ts'
import { formatRequest, formatResult, parseAnswer, parseRequest } from './question.ts'

/** User Choice, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'User Choice',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  limits: { questions: [1, 1], options: [1] },
  losses: [
    {
      of: 'question',
      what: 'header, values, descriptions, previews, placeholder, `required`, typed answers, `textFormat`, `recommended`',
      why: 'A choice is a text with labels.',
    },
    { of: 'response', what: 'notes', why: 'A selection is an index.' },
    {
      of: 'response',
      what: 'that the person dismissed the question',
      why: 'A dismissal looks like the default.',
    },
  ],
}
