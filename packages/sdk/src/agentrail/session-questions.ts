import { parseAnswer } from '@sandagent/core/dialects/agentrail'
import {
  type AnswerRequest,
  AskError,
  type QuestionRecord,
  type QuestionState,
  questionDigestOf,
} from '@sandagent/core/internal'

export type SessionQuestion = QuestionState & { record: QuestionRecord }

export const isOf =
  (sessionId: string) =>
  (state: QuestionState): state is SessionQuestion =>
    state.record?.runId === sessionId && state.record.kind === 'question'

/** The question that an answer without a name is for. @throws AskError `CONFLICT` when several wait. */
export function onlyOne([only, ...others]: readonly SessionQuestion[]): SessionQuestion | undefined {
  if (others.length > 0)
    throw new AskError('CONFLICT', 'Several questions of this session wait: name one by its toolCallId')
  return only
}

/** Makes the request that stores AgentRail's text of an answer. */
export const answerTo = (record: QuestionRecord, answer: string): AnswerRequest => ({
  toolCallId: record.toolCallId,
  questionDigest: questionDigestOf(record),
  ...parseAnswer(record.questions, { kind: 'question', answer }),
})
