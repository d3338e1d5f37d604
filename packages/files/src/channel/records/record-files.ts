import { AskError, errorCode, type QuestionRecord, sha256Hex } from '@sandagent/core/internal'
import { checkRecordSize, type StoredText } from '@sandagent/core/store'
import type { RunFiles } from '../../disk/sandbox-files.ts'

/**
 * Writes a record.
 *
 * @param options.isNew there must be none before
 * @returns `null` if there is one
 * @throws AskError `TOO_LARGE`; `UNREACHABLE`
 */
export async function writeRecordFile(
  files: RunFiles,
  path: string,
  record: QuestionRecord,
  { isNew }: { isNew: boolean },
): Promise<StoredText | null> {
  const text = JSON.stringify(record, null, 2)
  if (record.state === 'open') checkRecordSize(record.toolCallId, text)
  try {
    await files.writeAtomic(path, text, { exclusive: isNew })
  } catch (error) {
    if (isNew && errorCode(error) === 'CONFLICT') return null
    throw unwritable(error)
  }
  return { text, version: versionOf(text) }
}

/** Copies of a file agree on its version. */
export const versionOf: (text: string) => string = sha256Hex

/** Hides the system's message, which names folders, from models. */
export function unwritable(error: unknown): unknown {
  const code = errorCode(error)
  if (error instanceof AskError || code === undefined) return error
  const why = code === 'EACCES' ? '. Run the agent as the user who owns the folder' : ''
  const message = `The question cannot be written where its user would find it (${code})${why}`
  return new AskError('UNREACHABLE', message, { cause: error })
}
