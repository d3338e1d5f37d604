import { type Dialect, SECRETS_LOST } from '../dialect.ts'
import { formatResult, parseAnswer } from './answer.ts'
import { formatRequest, parseRequest } from './request.ts'

/** The interrupts of AG-UI 1.0, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'AG-UI',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  limits: { questions: [1], options: [0] },
  losses: {
    request: {
      'fields that are objects, lists of values, or choices between other things than texts':
        'A form has no such fields. They are typed as JSON.',
      'a default of several choices, or one that does not fit its field':
        'The question says it, and it stands in where nobody answers the field.',
      '`pattern`, and formats that MCP does not name': 'They are not checked, as in MCP.',
      'optional fields beside `approved` and `editedArgs`': 'An approval is one decision.',
      'a tool call that no event told': 'Its approval shows the message alone.',
    },
    question: {
      secrets: SECRETS_LOST,
      'previews, placeholder of typed questions, `textFormat`, `recommended`, default, files':
        'A form has no place for them. A client can read the questions whole in `metadata.sandagent.questions`.',
      '“Allow for this session”, and other scopes': '`approved` is true or false.',
    },
    response: {
      'what a person asks back': '`cancelled` carries no words that agents read.',
      'notes, except beside a single choice':
        'They would be another answer. That of an approval is metadata.',
      'why a person declined': 'It is metadata, which few agents read.',
      'whether a question was skipped or not answered': 'Neither has a value.',
      'that a default stood in': 'The payload does not say who decided.',
    },
  },
}
