import { type Responses, sameResponses } from '../answer/response.ts'
import { mayChange } from '../compat/finality.ts'
import { type AnswerFile, responsesOf } from './answer-file/answer-file.ts'
import { enteredIn } from './answer-file/entered-in.ts'
import { votersIn } from './people/vote.ts'
import type { SettledRecord } from './question-record.ts'

/**
 * Whether a receipt matches the stored answer. If it does not, it tells of an answer that nobody gave: somebody other than
 * the runner wrote the receipt, or wrote the answer that the runner read.
 */
export function isAccountedFor(record: SettledRecord, answerFile: AnswerFile | null | undefined): boolean {
  const { state, questions, responses, answeredBy, voters, reason, asksBack } = record
  const known = new Set(questions.map(({ id }) => id))
  const given = withoutDefaults(responses)
  if (!Object.keys(responses).every((id) => known.has(id))) return false
  if (state === 'timed-out' || state === 'aborted') return Object.keys(given).length === 0
  if (!answerFile || answeredBy !== answerFile.answeredBy) return false
  if (reason !== answerFile.reason || asksBack !== answerFile.asksBack) return false
  // Older runners name no voters.
  if (voters && String(voters) !== String(votersIn(answerFile.votes))) return false
  if (state === 'declined' && answerFile.status === 'pending') return false
  if (state === 'answered' && answerFile.status !== 'completed') return false
  return sameResponses(questions, given, withoutDefaults(takenFrom(answerFile, record)))
}

/**
 * Whether a receipt tells of another answer than the stored one. The agent may have got a draft or a provisional answer;
 * then another one may have been stored while the wait ended, which is no dispute.
 */
export const isDisputed = (record: SettledRecord, answerFile: AnswerFile | undefined): boolean =>
  !isAccountedFor(record, answerFile) && !(answerFile && isOfEarlierOne(record, answerFile))

/**
 * What may change has an order, by its revision. A final answer has none among drafts: it may have been made from an older one.
 */
const isOfEarlierOne = ({ state, revision = 0 }: SettledRecord, answerFile: AnswerFile): boolean =>
  mayChange(answerFile) ? revision < (answerFile.revision ?? 0) : state === 'partial'

/** The responses that the agent gets from an answer file. */
function takenFrom(answerFile: AnswerFile, record: SettledRecord): Responses {
  if (answerFile.status === 'declined') return {}
  return answerFile.status === 'completed'
    ? responsesOf(answerFile, record.questions)
    : enteredIn(record, answerFile)
}

/** The asker's own defaults are nobody's answer. */
const withoutDefaults = (responses: Responses): Responses =>
  Object.fromEntries(
    Object.entries(responses).filter(
      ([, response]) => 'skipped' in response || response.source !== 'default',
    ),
  )
