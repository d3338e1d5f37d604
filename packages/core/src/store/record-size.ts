import { AskError } from '../lib/errors.ts'
import { byteLength } from '../lib/text/byte-length.ts'
import { MAX_FILE_BYTES } from '../question/limits.ts'

/** Half of what readers accept, so that a settled record has room for the answer. */
const MAX_RECORD_BYTES = MAX_FILE_BYTES / 2

/** @throws AskError `TOO_LARGE` for the text of a new record that is too long */
export function checkRecordSize(toolCallId: string, text: string): void {
  if (byteLength(text) <= MAX_RECORD_BYTES) return
  const message = `This question is longer than ${MAX_RECORD_BYTES} bytes. Shorten its texts, or put them into a file`
  throw new AskError('TOO_LARGE', message, { facts: { toolCallId } })
}
