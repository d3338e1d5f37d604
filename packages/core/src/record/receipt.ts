import { submittedResponses } from '../answer/draft.ts'
import { isAnswer, type Responses, sameResponses } from '../answer/response.ts'
import { type Approval, mayChange, responsesOf } from './answer-file.ts'
import type { SettledRecord } from './question-record.ts'

/**
 * Whether what a runner noted as the end of a question follows from the answer that is stored for it. Not so when the
 * receipt tells of an answer that nobody gave: someone other than the runner wrote it, or wrote what the runner read.
 */
export function isAccountedFor(record: SettledRecord, approval: Approval | null | undefined): boolean {
  const { state, questions, responses, answeredBy, reason } = record
  const known = new Set(questions.map(({ id }) => id))
  const given = withoutDefaults(responses)
  if (!Object.keys(responses).every((id) => known.has(id))) return false
  if (state === 'timed-out' || state === 'aborted') return Object.keys(given).length === 0
  if (!approval || answeredBy !== approval.answeredBy || reason !== approval.reason) return false
  if (state === 'declined' && approval.status === 'pending') return false
  if (state === 'answered' && approval.status !== 'completed') return false
  return sameResponses(questions, given, withoutDefaults(takenFrom(approval, record)))
}

/**
 * Whether a receipt tells of an answer that is not the one that is stored, for the host that looks at both. Where the
 * agent got a draft, or an answer that could be replaced, another one may have been stored while the wait ended.
 */
export const isDisputed = (record: SettledRecord, approval: Approval | undefined): boolean =>
  !isAccountedFor(record, approval) && !(approval && isOfEarlierOne(record, approval))

const isOfEarlierOne = ({ state, revision = 0 }: SettledRecord, approval: Approval): boolean =>
  (mayChange(approval) || state === 'partial') && revision < (approval.revision ?? 0)

/** What the agent gets of an approval: of a draft, what was entered when the time ran out. */
function takenFrom(approval: Approval, { questions }: SettledRecord): Responses {
  if (approval.status === 'cancelled') return {}
  const responses = responsesOf(approval, questions)
  return approval.status === 'completed' ? responses : onlyAnswers(submittedResponses(questions, responses))
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
