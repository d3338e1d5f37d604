import { submittedResponses } from '../answer/draft.ts'
import { isAnswer, type Responses, sameResponses } from '../answer/response.ts'
import { type AnswerFile, mayChange, responsesOf } from './answer-file.ts'
import type { SettledRecord } from './question-record.ts'

/**
 * Whether what a runner noted as the end of a question follows from the answer that is stored for it. Not so when the
 * receipt tells of an answer that nobody gave: someone other than the runner wrote it, or wrote what the runner read.
 */
export function isAccountedFor(record: SettledRecord, answerFile: AnswerFile | null | undefined): boolean {
  const { state, questions, responses, answeredBy, reason } = record
  const known = new Set(questions.map(({ id }) => id))
  const given = withoutDefaults(responses)
  if (!Object.keys(responses).every((id) => known.has(id))) return false
  if (state === 'timed-out' || state === 'aborted') return Object.keys(given).length === 0
  if (!answerFile || answeredBy !== answerFile.answeredBy || reason !== answerFile.reason) return false
  if (state === 'declined' && answerFile.status === 'pending') return false
  if (state === 'answered' && answerFile.status !== 'completed') return false
  return sameResponses(questions, given, withoutDefaults(takenFrom(answerFile, record)))
}

/**
 * Whether a receipt tells of an answer that is not the one that is stored, for the host that looks at both. Where the
 * agent got a draft, or an answer that could be replaced, another one may have been stored while the wait ended.
 */
export const isDisputed = (record: SettledRecord, answerFile: AnswerFile | undefined): boolean =>
  !isAccountedFor(record, answerFile) && !(answerFile && isOfEarlierOne(record, answerFile))

const isOfEarlierOne = ({ state, revision = 0 }: SettledRecord, answerFile: AnswerFile): boolean =>
  (mayChange(answerFile) || state === 'partial') && revision < (answerFile.revision ?? 0)

/** What the agent gets of an answer file: of a draft, what was entered when the time ran out. */
function takenFrom(answerFile: AnswerFile, { questions }: SettledRecord): Responses {
  if (answerFile.status === 'declined') return {}
  const responses = responsesOf(answerFile, questions)
  return answerFile.status === 'completed' ? responses : onlyAnswers(submittedResponses(questions, responses))
}

const onlyAnswers = (responses: Responses): Responses =>
  Object.fromEntries(Object.entries(responses).filter(([, response]) => isAnswer(response)))

/** The asker's own defaults are nobody's answer. */
const withoutDefaults = (responses: Responses): Responses =>
  Object.fromEntries(
    Object.entries(responses).filter(
      ([, response]) => 'skipped' in response || response.source !== 'default',
    ),
  )
