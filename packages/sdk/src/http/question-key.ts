import { randomUUID } from 'node:crypto'
import { fileNameOf } from '@sandagent/core/internal'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'

/** The ids of places that have none of their own. */
const ids = new WeakMap<object, string>()

/** The name of a question among the questions of all sandboxes of this process. */
export function questionKeyOf(
  { id: given, files, questions }: AnswerableSandbox,
  toolCallId: string,
): string {
  const place = files ?? questions
  const id = given ?? files?.id ?? ids.get(place) ?? randomUUID()
  ids.set(place, id)
  return JSON.stringify([id, fileNameOf(toolCallId)])
}
