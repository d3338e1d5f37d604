import { type Dialect, SECRETS_LOST } from '../dialect.ts'
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
  losses: {
    question: {
      secrets: SECRETS_LOST,
      'placeholder, default, `typed`, `textFormat`, `recommended`, files': 'The tool has no such keys.',
      '`required` of a single question': 'One optional question makes all optional.',
    },
    response: {
      'what a person asks back': '`declined` carries no words, so the agent would not read it.',
      notes: 'An answer has ids and a text only.',
      'whether a question was skipped or not answered': 'Neither has an entry.',
      'that a default stood in': 'The result does not say who decided.',
    },
  },
}
