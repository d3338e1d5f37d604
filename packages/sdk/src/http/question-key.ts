import { randomUUID } from 'node:crypto'
import { fileNameOf } from '@sandagent/core/internal'
import type { SandboxFiles } from '@sandagent/files'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'

/** The ids of places that have none of their own. */
const ids = new WeakMap<SandboxFiles, string>()

/** The name of a question among the questions of all sandboxes of this process. */
export function questionKeyOf({ files }: AnswerableSandbox, toolCallId: string): string {
  const id = files.id ?? ids.get(files) ?? randomUUID()
  ids.set(files, id)
  return JSON.stringify([id, fileNameOf(toolCallId)])
}
