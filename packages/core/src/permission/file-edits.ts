import { isObject, own } from '../lib/objects.ts'

/** What a tool call writes into a file. */
export interface FileEdit {
  /** As the agent names it. */
  path: string
  /** The text that it replaces; `null` if it writes the whole file. */
  before: string | null
  after: string
}

/** The names of a tool's fields. A tool without `before` writes all that is there. */
interface Fields {
  path: string
  after: string
  before?: string
  /** Several edits of one file, each with `before` and `after`. */
  list?: string
}

const WRITE = { path: 'file_path', after: 'content' }
const EDIT = { path: 'file_path', after: 'new_string', before: 'old_string' }

const TOOLS: Readonly<Record<string, readonly Fields[]>> = {
  // Claude Code, and the scripted agent
  Write: [WRITE, { path: 'path', after: 'content' }],
  Edit: [EDIT],
  MultiEdit: [{ ...EDIT, list: 'edits' }],
  NotebookEdit: [{ path: 'notebook_path', after: 'new_source' }],
  // Gemini CLI
  write_file: [WRITE],
  replace: [EDIT],
  // opencode
  write: [{ path: 'filePath', after: 'content' }],
  edit: [{ path: 'filePath', after: 'newString', before: 'oldString' }],
}

/** All names of files and texts. Which of them a call with more than its tool's own would write, nobody can tell. */
const NAMES = new Set(
  Object.values(TOOLS)
    .flat()
    .flatMap(({ path, after, before = after, list = after }) => [path, after, before, list]),
)

/** What a tool call writes into one file, and what else its input says. */
export interface EditCall {
  path: string
  edits: FileEdit[]
  rest: Record<string, unknown>
}

/**
 * The edits that a tool call describes, in their order, by the name of its tool: the tools of Claude Code, Gemini CLI and
 * opencode are known. Empty for every other tool, and for a call that could write something else than it seems to.
 */
export const fileEditsIn = (toolName: string, input: unknown): FileEdit[] =>
  editCallIn(toolName, input)?.edits ?? []

/** The same with all that the edits do not show; `null` where there are none. */
export function editCallIn(toolName: string, input: unknown): EditCall | null {
  const fields = (own(TOOLS, toolName) ?? []).find(({ path, list, after, before }) =>
    hasOnly(input, list === undefined ? [path, after, before] : [path, list]),
  )
  if (!fields || !isObject(input)) return null
  const { after, before, list } = fields
  const path = input[fields.path]
  const parts = list === undefined ? [input] : input[list]
  // A cell that is deleted is not written.
  if (typeof path !== 'string' || !Array.isArray(parts) || input.edit_mode === 'delete') return null
  if (list !== undefined && !parts.every((part) => hasOnly(part, [after, before]))) return null
  const edits = parts.map((part) => ({
    path,
    before: before === undefined ? null : part[before],
    after: part[after],
  }))
  const isWhole = edits.every(
    (edit) => typeof edit.after === 'string' && typeof (edit.before ?? '') === 'string',
  )
  if (!isWhole || edits.length === 0) return null
  const rest = without(input, [fields.path, list ?? after, before])
  const extras = list === undefined ? [] : parts.map((part) => without(part, [after, before]))
  if (list !== undefined && extras.some((extra) => Object.keys(extra).length > 0)) rest[list] = extras
  return { path, edits: edits.map((edit) => ({ ...edit, before: edit.before || null })), rest }
}

const without = (
  input: Record<string, unknown>,
  names: readonly (string | undefined)[],
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))

/** Whether an input has these of all names, and no other. */
function hasOnly(input: unknown, names: readonly (string | undefined)[]): boolean {
  if (!isObject(input)) return false
  const given = Object.keys(input).filter((name) => NAMES.has(name))
  const expected = names.filter((name) => name !== undefined)
  return given.length === expected.length && expected.every((name) => given.includes(name))
}
