import { type Dialect, SECRETS_LOST } from '../dialect.ts'
import { formatRequest, formatResult, parseAnswer, parseRequest } from './question.ts'

/** User Choice, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'User Choice',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  limits: { questions: [1, 1], options: [1] },
  losses: {
    question: {
      secrets: SECRETS_LOST,
      'header, values, descriptions, previews, placeholder, `required`, typed answers, `textFormat`, `recommended`, files':
        'A choice is a text with labels.',
    },
    response: {
      'what a person asks back': 'A selection is an index.',
      notes: 'A selection is an index.',
      'that the person dismissed the question': 'A dismissal looks like the default.',
    },
  },
}
