import { type Dialect, SECRETS_LOST } from '../dialect.ts'
import { formatResult } from '../mcp/content.ts'
import { dialect as mcp } from '../mcp/dialect.ts'
import { parseAnswer } from '../mcp/form.ts'
import { parseRequest } from '../mcp/question.ts'
import { formatRequest } from './form.ts'

/** Elicitations and permissions of ACP, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'ACP',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  limits: mcp.limits,
  losses: {
    request: {
      ...mcp.losses.request,
      'modes that ACP does not name': 'Nobody knows how to show them: such a request is refused.',
      'fields of a type that ACP does not name': 'Nobody knows what a value would be: they are refused.',
      'pages that are not on the web': 'Nobody should open them from here: they are refused.',
      'a permission without options, or with two of one id': 'No choice of it could be told: it is refused.',
      'images, sounds, resources and terminals of a tool call': 'An approval shows texts and diffs.',
      'locations and kind, beside a raw input': 'The input names what it works on.',
    },
    question: {
      secrets: SECRETS_LOST,
      'placeholder of typed questions, `textFormat`, `recommended`, files': 'A form has no place for them.',
      default: 'In a form it would be an answer that nobody gave.',
      'a header that the text begins with': 'Read back, it is part of the text.',
      '`required` where an answer may be typed': 'Such a question has two fields, and one is enough.',
    },
    response: {
      'what a person asks back': 'An agent gets `decline` without words.',
      'notes, except beside a single choice': 'They would be another answer.',
      'whether a question was skipped or not answered': 'Neither has a value.',
      'that a default stood in': 'The result does not say who decided.',
      'the note beside a permission': 'Its outcome is the id of an option.',
      'an edited call': 'Its outcome is the id of an option.',
    },
  },
}
