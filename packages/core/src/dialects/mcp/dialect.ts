import type { Dialect } from '../dialect.ts'
import { formatResult } from './content.ts'
import { formatRequest, parseAnswer } from './form.ts'
import { parseRequest } from './question.ts'
import { MCP_TOOL } from './tool.ts'

/** MCP elicitation, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'MCP elicitation',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  tool: () => MCP_TOOL,
  limits: { questions: [1], options: [0] },
  losses: [
    { of: 'request', what: 'formats that MCP does not name', why: 'They are not checked.' },
    { of: 'request', what: '`pattern`', why: 'A foreign regular expression can stall the program.' },
    {
      of: 'question',
      what: 'previews, placeholder of typed questions, `textFormat`, `recommended`',
      why: 'A form has no place for them.',
    },
    { of: 'question', what: 'default', why: 'In a form it would be an answer that nobody gave.' },
    {
      of: 'question',
      what: 'a header that the text begins with',
      why: 'Read back, it is part of the text.',
    },
    {
      of: 'question',
      what: '`required` where an answer may be typed',
      why: 'Such a question has two fields, and one is enough.',
    },
    { of: 'response', what: 'notes, except beside a single choice', why: 'They would be another answer.' },
    { of: 'response', what: 'whether a question was skipped or not answered', why: 'Neither has a value.' },
    { of: 'response', what: 'that a default stood in', why: 'The result does not say who decided.' },
  ],
}
