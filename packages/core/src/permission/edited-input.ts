// Why it is so: docs/decisions/0099-an-edit-goes-with-its-decision.md

import { isAnswer, type Responses } from '../answer/response.ts'
import { sameJson } from '../lib/digest.ts'
import type { Fault } from '../lib/errors.ts'
import { isObject } from '../lib/objects.ts'
import { decisionOf } from '../question/approval-options.ts'
import { MAX_INPUT_DEPTH } from '../question/limits.ts'
import { cutText } from '../record/outcome/outcome.ts'
import type { ApprovalSubject, QuestionRecord } from '../record/question-record.ts'

/** What a person changed in the input of a tool call. */
export interface InputChange {
  /** The name of the value; `null` where the whole input is replaced. */
  name: string | null
  /** Absent: it was added. */
  before?: unknown
  /** Absent: it was removed. */
  after?: unknown
}

/** How an edited input differs from what the agent asked, value by value; empty if it is the same. */
export function inputChanges(asked: unknown, edited: unknown): InputChange[] {
  if (!isObject(asked) || !isObject(edited))
    return sameJson(asked, edited) ? [] : [{ name: null, before: asked, after: edited }]
  const names = new Set([...Object.keys(asked), ...Object.keys(edited)])
  return [...names].flatMap((name): InputChange[] => {
    const [before, after] = [asked, edited].map((input) =>
      Object.hasOwn(input, name) ? { value: input[name] } : undefined,
    )
    if (before && after && sameJson(before.value, after.value)) return []
    return [{ name, ...(before && { before: before.value }), ...(after && { after: after.value }) }]
  })
}

/**
 * What is wrong with the edited inputs in responses. An input counts only where the record says that it may be edited, and only
 * with "Allow once": what a session would allow is the agent's call.
 */
export function inputFaults(
  { kind, subject }: Pick<QuestionRecord, 'kind' | 'subject'>,
  responses: Readonly<Responses>,
  { final }: { final: boolean },
): Fault[] {
  return Object.entries(responses).flatMap(([id, response]): Fault[] => {
    if ('skipped' in response || response.input === undefined) return []
    const path = `responses.${id}.input`
    if (kind !== 'approval' || !subject?.editable)
      return [{ path, expected: 'no input: this call runs as its agent asked, or not at all' }]
    const isAllowed = isAnswer(response) && decisionOf(response.selected[0]) === 'allowOnce'
    if (final ? !isAllowed : isAnswer(response) && !isAllowed)
      return [{ path, expected: 'no input: only "Allow once" allows an edited call' }]
    if (!isJson(response.input)) return [{ path, expected: 'JSON' }]
    if (isObject(subject.input) && !isObject(response.input))
      return [{ path, expected: 'an object, as the agent’s input is one' }]
    return sameJson(subject.input, response.input)
      ? [{ path, expected: 'another input than the agent’s' }]
      : []
  })
}

/** What the model reads about a tool call that a person edited before it ran. */
export function editText({ toolName, input }: ApprovalSubject, edited: unknown, note?: string): string {
  const said = note ? `, saying ${quoted(note)}` : ''
  const changes = inputChanges(input, edited).map((change) => `- ${changeText(change)}`)
  return [
    `The user changed the input of ${toolName} before allowing it${said}. It ran with the changed input, not with yours:`,
    ...changes,
    'This was what the user wanted. Do not change it back.',
  ].join('\n')
}

function changeText(change: InputChange): string {
  const name = change.name === null ? 'The input' : JSON.stringify(change.name)
  if (!('before' in change)) return `${name} was added: ${quoted(change.after)}`
  if (!('after' in change)) return `${name} was removed. It was ${quoted(change.before)}`
  return `${name} was ${quoted(change.before)}, and ran as ${quoted(change.after)}`
}

const quoted = (value: unknown): string => cutText(JSON.stringify(value))

/** Whether a value is the same after it went through JSON, and no deeper than the input of a tool may be. */
export function isJson(value: unknown, depth: number = MAX_INPUT_DEPTH): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || (depth > 0 && Object.values(value).every((entry) => isJson(entry, depth - 1)))
    default:
      return false
  }
}
