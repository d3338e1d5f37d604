import { type Dialect, SECRETS_LOST } from '../dialect.ts'
import { formatResult, parseAnswer } from './answer.ts'
import { COGNIPEER_LIMITS, formatRequest, parseRequest } from './request.ts'
import { cognipeerTool } from './tool.ts'

/** Cognipeer, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'Cognipeer',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  tool: cognipeerTool,
  limits: COGNIPEER_LIMITS,
  losses: {
    question: {
      secrets: SECRETS_LOST,
      'default, `typed`, `textFormat`, `recommended`, files': 'The tool has no such keys.',
    },
    response: {
      'which optional question was skipped': 'A skipped question has no entry.',
      'space around typed words': 'Cognipeer removes it.',
    },
  },
}
