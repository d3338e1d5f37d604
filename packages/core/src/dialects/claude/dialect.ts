import { type Dialect, SECRETS_LOST } from '../dialect.ts'
import { formatResult, parseAnswer } from './answer.ts'
import { CLAUDE_LIMITS, formatRequest, parseRequest } from './request.ts'
import { CLAUDE_TOOL } from './tool.ts'

/** Claude, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'Claude',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  tool: () => CLAUDE_TOOL,
  limits: CLAUDE_LIMITS,
  losses: {
    request: {
      '`title`, `defaultValue`': 'Questions here have no such keys.',
    },
    question: {
      secrets: SECRETS_LOST,
      'values, placeholder, `required`, `allowFreeText`, default, `typed`, `textFormat`, `recommended`, files':
        'Claude’s tool has no such keys.',
    },
    response: {
      'an edited call, allowed for the session': 'Its rules are for the call as the agent asked it.',
    },
  },
}
