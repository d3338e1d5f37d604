import { type Dialect, SECRETS_LOST } from '../dialect.ts'
import { formatResult, parseAnswer } from './answer.ts'
import { formatRequest, parseRequest } from './request.ts'
import { AGENTRAIL_TOOL } from './tool.ts'

/** AgentRail, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'AgentRail',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  tool: () => AGENTRAIL_TOOL,
  limits: { questions: [1, 1], options: [0] },
  losses: {
    question: {
      secrets: SECRETS_LOST,
      'header, values, descriptions, previews, `required`, default, `typed`, `textFormat`, `recommended`, files':
        'The tool has no such parameters.',
    },
    response: {
      notes: 'The result is one text.',
      'space around typed words': 'The page removes it.',
      'that a default stood in': 'The result does not say who decided.',
    },
  },
}
