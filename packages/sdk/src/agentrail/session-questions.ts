import { AskError, type HostChannel, type QuestionRecord } from '@sandagent/core'
import { waitingQuestions } from '../answers/questions.ts'

/** The question of a session that is named, whatever its state. */
export async function namedQuestion(
  channel: HostChannel,
  sessionId: string,
  toolCallId: string,
): Promise<QuestionRecord | undefined> {
  const { record } = await channel.read(toolCallId)
  return isOf(sessionId, record) ? record : undefined
}

/** The questions of a session that wait, oldest first. */
export async function waitingIn(channel: HostChannel, sessionId: string): Promise<QuestionRecord[]> {
  const states = await waitingQuestions(channel)
  return states.flatMap(({ record }) => (isOf(sessionId, record) ? [record] : []))
}

/**
 * The question that an answer without a name is for.
 *
 * @throws AskError `CONFLICT` where several may be meant.
 */
export function onlyOne([only, ...others]: readonly QuestionRecord[]): QuestionRecord | undefined {
  if (others.length > 0)
    throw new AskError('CONFLICT', 'Several questions of this session wait: name one by its toolCallId')
  return only
}

const isOf = (sessionId: string, record: QuestionRecord | undefined): record is QuestionRecord =>
  record?.runId === sessionId && record.kind === 'question'
