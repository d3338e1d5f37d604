import { type Dialect, SECRETS_LOST } from '../dialect.ts'
import { formatResult, parseAnswer } from './answer.ts'
import { formatRequest, parseRequest } from './request.ts'

/** The requests for input of eve, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'eve',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  limits: { questions: [1, 1], options: [0] },
  losses: {
    request: {
      'the style of an option, `display`': 'The form has looks of its own.',
      'the second of two options with one id': 'eve takes the first.',
    },
    question: {
      secrets: SECRETS_LOST,
      'header, previews, placeholder, `required`, default, `typed`, `textFormat`, `recommended`, files':
        'A request has no such keys.',
      'several choices': 'A response names one option: such a question is refused.',
    },
    response: {
      notes: 'Words beside an option are for a cancelled approval alone.',
      'a decline, a time-out or a default as such':
        'A response is an option or a text. The text says how it ended, and the model reads it.',
      'such an ending of a question that takes no words':
        'There is no response for it: the whole turn is cancelled.',
      'an edited call': 'The response is the id of an option.',
    },
  },
}
