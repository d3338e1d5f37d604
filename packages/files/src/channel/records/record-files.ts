import { createHash } from 'node:crypto'
import { AskError, errorCode, parseQuestionRecord, type QuestionRecord } from '@sandagent/core/internal'
import { checkRecordSize, type StoredText } from '@sandagent/core/store'
import type { RunFiles } from '../../disk/run-files.ts'
import { questionRecordPath } from '../file-paths.ts'
import type { StateFolderOption } from '../state-folders.ts'

/** A record as it was written. */
export interface WrittenRecord extends StoredText {
  state: QuestionRecord['state']
}

/** The files of question records, as the runner reads and writes them. */
export interface RecordFiles {
  /** @throws AskError `TOO_LARGE`; `UNREACHABLE`; `CONFLICT` if the file must be new and is not */
  publish(record: QuestionRecord, options?: { exclusive: boolean }): Promise<WrittenRecord>
  /** @throws AskError `UNREACHABLE`, or as `parseQuestionRecord` does */
  read(toolCallId: string): Promise<QuestionRecord | null>
  /** Hides the system's message, which names folders, from models. */
  unwritable(error: unknown): unknown
}

export function createRecordFiles(files: RunFiles, place: StateFolderOption): RecordFiles {
  return {
    async publish(record, options) {
      const { toolCallId, state } = record
      const text = JSON.stringify(record, null, 2)
      if (state === 'open') checkRecordSize(toolCallId, text)
      try {
        await files.writeAtomic(questionRecordPath(toolCallId, place), text, options)
      } catch (error) {
        throw unwritable(error)
      }
      return { text, version: versionOf(text), state }
    },
    async read(toolCallId) {
      const text = await files.read(questionRecordPath(toolCallId, place))
      return text === null ? null : parseQuestionRecord(text)
    },
    unwritable,
  }
}

/** Copies of a file agree on its version. */
export const versionOf = (text: string): string => createHash('sha256').update(text).digest('base64')

function unwritable(error: unknown): unknown {
  const code = errorCode(error)
  if (error instanceof AskError || code === undefined) return error
  const why = code === 'EACCES' ? '. Run the agent as the user who owns the folder' : ''
  const message = `The question cannot be written where its user would find it (${code})${why}`
  return new AskError('UNREACHABLE', message, { cause: error })
}
