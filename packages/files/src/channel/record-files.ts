import type { OnWarning } from '@sandagent/core'
import {
  AskError,
  errorCode,
  MAX_FILE_BYTES,
  parseQuestionRecord,
  type QuestionRecord,
  warningOf,
} from '@sandagent/core/internal'
import type { RunFiles } from '../disk/run-files.ts'
import { questionRecordPath } from './paths.ts'
import type { StateFolderOption } from './state-folders.ts'

/** Half of what readers accept, so that a settled record has room for the answer. */
const MAX_RECORD_BYTES = MAX_FILE_BYTES / 2

/** The files of question records, as the runner reads and writes them. */
export interface RecordFiles {
  /** @throws AskError `UNREACHABLE`; `CONFLICT` if the file must be new and is not */
  publish(record: QuestionRecord, options?: { exclusive: boolean }): Promise<void>
  /** @throws AskError `UNREACHABLE`, or as `parseQuestionRecord` does */
  read(toolCallId: string): Promise<QuestionRecord | null>
  /**
   * Publishes the record unless the call has one. It replaces a file that holds no question. Resolves to the record that counts.
   *
   * @throws AskError `TOO_LARGE`; `UNREACHABLE` for a record that cannot be read now: an answer may belong to it
   */
  createOrAdopt(record: QuestionRecord): Promise<QuestionRecord>
}

export function createRecordFiles(
  files: RunFiles,
  place: StateFolderOption,
  onWarning: OnWarning,
): RecordFiles {
  const publish: RecordFiles['publish'] = async (record, options) => {
    try {
      await files.writeAtomic(questionRecordPath(record.toolCallId, place), recordText(record), options)
    } catch (error) {
      throw unwritable(error)
    }
  }

  const read: RecordFiles['read'] = async (toolCallId) => {
    const text = await files.read(questionRecordPath(toolCallId, place))
    return text === null ? null : parseQuestionRecord(text)
  }

  return {
    publish,
    read,
    async createOrAdopt(record) {
      const { toolCallId } = record
      if (Buffer.byteLength(recordText(record)) > MAX_RECORD_BYTES)
        throw new AskError(
          'TOO_LARGE',
          `This question is longer than ${MAX_RECORD_BYTES} bytes. Shorten its texts, or put them into a file`,
          { facts: { toolCallId } },
        )
      try {
        await publish(record, { exclusive: true })
        return record
      } catch (error) {
        if (!(error instanceof AskError && error.code === 'CONFLICT')) throw error
      }
      try {
        const existing = await read(toolCallId)
        if (existing) return existing
      } catch (error) {
        if (!(error instanceof AskError) || error.code === 'UNREACHABLE') throw unwritable(error)
        onWarning(warningOf(error, toolCallId))
      }
      await publish(record)
      return record
    },
  }
}

/** Hides the system's message, which names folders, from models. */
function unwritable(error: unknown): unknown {
  const code = errorCode(error)
  if (error instanceof AskError || code === undefined) return error
  const why = code === 'EACCES' ? '. Run the agent as the user who owns the folder' : ''
  const message = `The question cannot be written where its user would find it (${code})${why}`
  return new AskError('UNREACHABLE', message, { cause: error })
}

const recordText = (record: QuestionRecord): string => JSON.stringify(record, null, 2)
