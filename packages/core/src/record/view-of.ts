import { readQuestions } from '../question/read-questions.ts'
import { isFinal, responsesOf } from './answer-file.ts'
import { deadlineOf, isSettled } from './question-record.ts'
import type { QuestionState } from './question-state.ts'
import type { QuestionView } from './question-view.ts'
import { isDisputed } from './receipt.ts'
import { questionDigestOf } from './signed-claims.ts'

/** Makes the view of a question at `now`, in milliseconds since 1970. */
export function viewOf(state: QuestionState, now: number): QuestionView {
  const { toolCallId, record, answerFile, runEnded } = state
  // The questions of older writers are not checked. One bad file must not hide the others.
  const questions = record?.questions ?? readQuestions(answerFile)
  const settled = record && isSettled(record) ? record : undefined
  const final = answerFile !== undefined && isFinal(answerFile)
  const deadline = record ? deadlineOf(record, answerFile?.timestamp, now) : null
  const answeredBy = settled ? settled.answeredBy : answerFile?.answeredBy
  const reason = settled ? settled.reason : answerFile?.reason
  return {
    toolCallId,
    ...(record && { toolName: record.toolName, askedAt: record.askedAt }),
    kind: record?.kind ?? 'question',
    state: settled ? settled.state : final ? 'sent' : 'open',
    questions,
    ...(record && { questionDigest: questionDigestOf(record) }),
    ...(record?.subject && { subject: record.subject }),
    ...(record?.asker && { asker: record.asker }),
    responses: settled ? settled.responses : answerFile ? responsesOf(answerFile, questions) : {},
    revision: answerFile?.revision ?? 0,
    declined: answerFile?.status === 'declined',
    ...(settled && { settledAt: settled.settledAt }),
    deadline: deadline === null ? null : new Date(deadline).toISOString(),
    remainingMs: deadline === null ? null : Math.max(0, deadline - now),
    ...(answeredBy !== undefined && { answeredBy }),
    ...(final && { answeredAt: answerFile.timestamp }),
    ...(reason !== undefined && { reason }),
    ...(runEnded && !settled && { runEnded }),
    ...(settled && isDisputed(settled, answerFile) && { disputed: true as const }),
  }
}
