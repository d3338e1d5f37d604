import { isObject, pick, recordOf } from '../lib/objects.ts'
import type { Attachment } from './files/attachment.ts'
import type { QuestionResponse, Responses } from './response.ts'

/**
 * Reads responses by question id for display. It reads what `responsesSchema` takes, and leaves out the rest: the host
 * parses strictly, a page shows what it can.
 */
export const readResponses = (input: unknown): Responses =>
  isObject(input) ? recordOf(Object.keys(input), (id) => readResponse(input[id])) : {}

function readResponse(entry: unknown): QuestionResponse | undefined {
  if (!isObject(entry)) return undefined
  const { skipped, selected, input, files, source } = entry
  if (skipped === true) return { skipped, ...pick(entry, 'string', ['notes']) }
  if (!Array.isArray(selected)) return undefined
  return {
    selected: selected.filter((value) => typeof value === 'string'),
    ...pick(entry, 'string', ['freeText', 'sealed', 'notes']),
    input,
    // Who shows them checks them.
    files: files as Attachment[] | undefined,
    source: source === 'default' ? source : 'human',
  }
}
