import type { Dialect } from '../dialect.ts'
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
  losses: [
    {
      of: 'question',
      what: 'header, values, descriptions, previews, `required`, default, bounds of numbers, `textFormat`, `recommended`',
      why: 'The tool has no such parameters.',
    },
    { of: 'response', what: 'notes', why: 'The result is one text.' },
    { of: 'response', what: 'space around typed words', why: 'The page removes it.' },
    { of: 'response', what: 'that a default stood in', why: 'The result does not say who decided.' },
  ],
}
