import type { ListPlace } from '../channel.ts'
import { AskError } from '../lib/errors.ts'
import { warningOf } from '../lib/warnings/warning.ts'
import type { ChannelWarning, OnWarning } from '../lib/warnings/warning-codes.ts'
import type { AnswerFile } from '../record/answer-file/answer-file.ts'
import { parseAnswerFile } from '../record/answer-file/parse-answer-file.ts'
import { parseQuestionRecord, type QuestionRecord } from '../record/question-record.ts'
import type { ListedQuestion, StoredQuestion } from './question-store.ts'

/** The stored record, or `null`. @throws AskError `INVALID_FILE` for a text that is no record of this tool call. */
const recordIn = ({ toolCallId, record, parsed }: StoredQuestion): QuestionRecord | null =>
  parsed ?? (record && parseQuestionRecord(record.text, toolCallId))

/** The list of a store that reads all records anyway. */
export function listed(records: readonly QuestionRecord[], after: ListPlace | undefined): ListedQuestion[] {
  const isBehind = ({ askedAt, toolCallId }: QuestionRecord, place: ListPlace): boolean => {
    const difference = Date.parse(askedAt) - Date.parse(place.askedAt)
    return difference === 0 ? toolCallId > place.toolCallId : difference > 0
  }
  return (after ? records.filter((record) => isBehind(record, after)) : records).map((parsed) => {
    const { toolCallId, askedAt } = parsed
    return { toolCallId, askedAt, record: null, answer: null, accepted: null, parsed }
  })
}

/** The one question that was read. @throws its AskError */
export function only(
  toolCallId: string,
  [stored = { toolCallId, record: null, answer: null }]: readonly StoredQuestion[],
): StoredQuestion {
  if (stored.error) throw stored.error
  return stored
}

/** The same. A malformed text is a warning and `null`. */
export const readableRecordIn = (stored: StoredQuestion, onWarning: OnWarning): QuestionRecord | null =>
  orWarning(() => recordIn(stored), stored, onWarning)

/** The same. @throws AskError `CONFLICT` for the record of another call: file systems may ignore the case of names */
export function ownRecordIn(stored: StoredQuestion, onWarning: OnWarning): QuestionRecord | null {
  try {
    return recordIn(stored)
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    if (error.facts.toolCallId !== undefined) throw taken(stored.toolCallId)
    onWarning(warningOf(error, stored.toolCallId))
    return null
  }
}

/** The same. @throws AskError `UNREACHABLE` for a malformed record: what was asked is not known. */
export function readableOrUnreachable(stored: StoredQuestion): QuestionRecord | null {
  try {
    return recordIn(stored)
  } catch (cause) {
    if (!(cause instanceof AskError)) throw cause
    throw new AskError('UNREACHABLE', `This question cannot be read (${cause.code})`, { cause })
  }
}

export const taken = (toolCallId: string): AskError =>
  new AskError('CONFLICT', 'This tool call id is taken by other questions. Use a new id for each call', {
    facts: { toolCallId },
  })

export const unreadAnswer = (toolCallId: string, warning: ChannelWarning | undefined): AskError =>
  new AskError(
    'UNREACHABLE',
    `The answer cannot be read (${warning?.code}). ${warning?.message ?? ''}`.trim(),
    { facts: { toolCallId } },
  )

/** The stored answer file, or `null`. A malformed text is a warning and `null`. */
export const answerIn = (stored: StoredQuestion, onWarning: OnWarning): AnswerFile | null =>
  orWarning(() => stored.answer && parseAnswerFile(stored.answer.text, stored.toolCallId), stored, onWarning)

function orWarning<T>(parse: () => T, { toolCallId }: StoredQuestion, onWarning: OnWarning): T | null {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    onWarning(warningOf(error, toolCallId))
    return null
  }
}
