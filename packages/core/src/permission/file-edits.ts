import { isObject } from '../lib/objects.ts'

/** What a tool call writes into a file. */
export interface FileEdit {
  /** As the agent names it. */
  path: string
  /** The text that it replaces; `null` if it writes the whole file. */
  before: string | null
  after: string
}

/**
 * The edits that the input of a tool call describes, in their order. It knows the tools of Claude Code, Gemini CLI and opencode by
 * the names of their fields. Empty for every other input.
 */
export function fileEditsIn(input: unknown): FileEdit[] {
  if (!isObject(input)) return []
  const path = textIn(input, 'file_path', 'filePath', 'notebook_path', 'path')
  if (path === undefined) return []
  const parts = Array.isArray(input.edits) ? input.edits : [input]
  return parts.flatMap((part) => {
    if (!isObject(part)) return []
    const before = textIn(part, 'old_string', 'oldString')
    const after = textIn(part, 'new_string', 'newString', 'new_source', 'content')
    return after === undefined ? [] : [{ path, before: before || null, after }]
  })
}

/** The first of these fields that is a text. */
function textIn(input: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  const name = names.find((each) => Object.hasOwn(input, each) && typeof input[each] === 'string')
  return name === undefined ? undefined : (input[name] as string)
}
