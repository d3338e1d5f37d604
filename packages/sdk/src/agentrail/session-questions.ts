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

/**
 * The question that an answer without a name is for. One whose asker was killed stays open for the next asker, and stands
 * back behind those whose askers wait.
 *
 * @throws AskError `CONFLICT` when several wait.
 */
export function onlyOne(questions: readonly SessionQuestion[]): SessionQuestion | undefined {
  const awaited = questions.filter(({ runEnded }) => !runEnded)
  const [only, ...others] = awaited.length > 0 ? awaited : questions
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
