import * as v from 'valibot'
import { isObject } from '../../lib/objects.ts'
import { absent, lenient } from '../../lib/schema.ts'
import { fileEditsIn } from '../../permission/file-edits.ts'
import { reasonsOf } from '../../permission/reasons-of.ts'
import type { ApprovalSubject } from '../../record/question-record.ts'
import { readRequest } from '../dialect.ts'

/** A tool call, as an agent of ACP tells of it. */
export interface AcpCall {
  toolCallId: string
  title?: string | undefined
  name?: string | undefined
  kind?: string | undefined
  content: (Text | Diff)[]
  locations: { path: string; line?: number | undefined }[]
  rawInput?: unknown
  /** Where the adapter of Claude Code writes the name. */
  _meta?: { claudeCode?: { toolName?: string | undefined } | undefined } | undefined
}

interface Text {
  type: 'content'
  content: { text: string }
}

interface Diff {
  type: 'diff'
  path: string
  /** Absent for a new file. */
  oldText?: string | undefined
  newText: string
}

const textSchema = v.object({
  type: v.literal('content'),
  content: v.object({ type: v.literal('text'), text: v.string() }),
})
const diffSchema = v.object({
  type: v.literal('diff'),
  path: v.string(),
  oldText: lenient(v.string()),
  newText: v.string(),
})

/** Entries that nobody understands are left out, as ACP says. */
const validOf = <T>(entry: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T[]> =>
  v.pipe(
    v.fallback(v.array(v.unknown()), []),
    v.transform((list) =>
      list.flatMap((each) => {
        const read = v.safeParse(entry, each)
        return read.success ? [read.output] : []
      }),
    ),
  )

export const callSchema: v.GenericSchema<unknown, AcpCall> = v.object({
  toolCallId: v.string(),
  title: lenient(v.string()),
  name: lenient(v.string()),
  kind: lenient(v.string()),
  content: validOf(v.variant('type', [textSchema, diffSchema])),
  locations: validOf(v.object({ path: v.string(), line: lenient(v.number()) })),
  rawInput: absent(v.unknown()),
  _meta: lenient(v.object({ claudeCode: lenient(v.object({ toolName: lenient(v.string()) })) })),
})

/** Its own name, or its kind. It has spaces where there is neither, so that nobody takes it for a name. */
const toolNameOf = ({ name, _meta, kind }: AcpCall): string =>
  [name, _meta?.claudeCode?.toolName, kind].find((each) => each?.trim()) ?? 'a tool without a name'

/**
 * Reads a tool call, with all that the agent tells of it.
 *
 * @throws AskError `INVALID_QUESTIONS` when it is none.
 */
export const parseCall = (call: unknown): ApprovalSubject => subjectOf(readRequest(callSchema, call))

/**
 * The call that a permission is for. Its raw input is its input. Without one, its
 * title, its texts and its diffs are all that is known of it: then they are the input.
 */
export function subjectOf(call: AcpCall): ApprovalSubject {
  const { rawInput, title, kind, locations } = call
  const texts = call.content.flatMap((part) => (part.type === 'content' ? [part.content.text] : []))
  const diffs = call.content.flatMap((part) => (part.type === 'diff' ? [part] : []))
  const toolName = toolNameOf(call)
  const isShown = (text: string | undefined): boolean =>
    isObject(rawInput) && Object.values(rawInput).includes(text)
  const said = reasonsOf({ agent: [title, ...texts].filter((text) => !isShown(text)) })
  const reasons = said.length > 0 && { reasons: said }
  if (rawInput !== undefined) {
    const edits = fileEditsIn(toolName, rawInput)
    const unsaid = diffs.filter(
      ({ path, oldText = null, newText }) =>
        !edits.some((edit) => edit.path === path && edit.before === oldText && edit.after === newText),
    )
    return { toolName, input: unsaid.length === 0 ? rawInput : withDiffs(rawInput, unsaid), ...reasons }
  }
  const [diff, ...others] = diffs
  if (diff && others.length === 0) return { ...editOf(diff), ...reasons }
  const input = {
    ...(title !== undefined && { title }),
    ...(kind !== undefined && { kind }),
    ...(texts.length > 0 && { content: texts }),
    ...(diffs.length > 0 && { diffs: diffs.map(shownDiff) }),
    ...(locations.length > 0 && { locations }),
  }
  return { toolName, input }
}

const shownDiff = ({ path, oldText, newText }: Diff): object => ({
  path,
  ...(oldText !== undefined && { oldText }),
  newText,
})

const withDiffs = (rawInput: unknown, diffs: readonly Diff[]): object => {
  const shown = { diffs: diffs.map(shownDiff) }
  return isObject(rawInput) && !Object.hasOwn(rawInput, 'diffs')
    ? { ...rawInput, ...shown }
    : { rawInput, ...shown }
}

/** One diff alone, in a form that is shown as an edit. */
const editOf = ({ path: filePath, oldText, newText }: Diff): ApprovalSubject =>
  oldText === undefined
    ? { toolName: 'write', input: { filePath, content: newText } }
    : { toolName: 'edit', input: { filePath, oldString: oldText, newString: newText } }
