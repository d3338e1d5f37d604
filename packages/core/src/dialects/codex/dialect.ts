import { type Dialect, SECRETS_LOST } from '../dialect.ts'
import { formatResult, parseAnswer } from './answer.ts'
import { formatRequest, LIMITS, parseRequest } from './request.ts'

/** The questions of Codex' app server, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'Codex',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  limits: LIMITS,
  losses: {
    request: {
      'options of `isSecret`': 'A secret is typed.',
      '`isBlocking`, `autoResolutionMs`': 'A question waits for its person, or for the time of its run.',
      'permission for all later commands like it': 'It would change the rules of Codex for good.',
    },
    question: {
      secrets: SECRETS_LOST,
      'several choices': 'The tool takes one. They are refused.',
      'previews, placeholder, default, `recommended`, `required`, `typed`, `textFormat`, files':
        'The tool has no such keys.',
      'values of options': 'An answer has labels only.',
    },
    response: {
      'whether a question was declined, skipped or not answered in time':
        'The result has answers only. The agent tells it the model as text.',
    },
  },
}
