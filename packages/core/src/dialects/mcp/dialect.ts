import { type Dialect, SECRETS_LOST } from '../dialect.ts'
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
  losses: {
    request: {
      'choices of nothing, and limits that nothing fits': 'Nobody can answer them, so they are refused.',
      'a default of several choices, or one that does not fit its field':
        'The question says it, and it stands in where nobody answers the field.',
      'formats that MCP does not name': 'They are not checked.',
      'limits that are not included, of numbers without a step':
        'The field takes the limit itself, and the question is asked again.',
      '`pattern`': 'A foreign regular expression can stall the program.',
    },
    question: {
      secrets: SECRETS_LOST,
      'previews, placeholder of typed questions, `textFormat`, `recommended`, files':
        'A form has no place for them.',
      'steps, units, limits of dates, ranges, times, sliders and ratings':
        'The description says them, and the answer is checked against them.',
      default: 'In a form it would be an answer that nobody gave.',
      'a header that the text begins with': 'Read back, it is part of the text.',
      '`required` where an answer may be typed': 'Such a question has two fields, and one is enough.',
    },
    response: {
      'what a person asks back':
        'A server gets `decline` without words. The tool of an MCP server here can carry it.',
      'the thread of what was asked back, once the server of our tool has started again':
        'A call has a new id, and a runner lists no records. The model has read what was asked.',
      'notes, except beside a single choice': 'They would be another answer.',
      'whether a question was skipped or not answered': 'Neither has a value.',
      'that a default stood in': 'The result does not say who decided.',
    },
  },
}
