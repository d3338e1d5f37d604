// Why it is so: docs/decisions/0099-an-edit-goes-with-its-decision.md

import {
  type ApprovalSubject,
  isJson,
  isObject,
  jsonText,
  mainFieldOf,
  sameJson,
  visible,
  withoutMark,
} from '@sandagent/core/internal'

/** The input of a call as a person edits it: one text. */
export interface CallEdit {
  /** The field whose text is edited, such as a command; `null` where all of the input is, as JSON. */
  field: string | null
  text: string
  /** The input that the edit began with: what is not in the text stays as it is there. */
  base: unknown
  /** The call as the text makes it, from the moment when the person looks at it. What is allowed is this. */
  changed?: ApprovalSubject
}

/** Begins to edit a call: its main text alone, if that has nothing out of sight. */
export function beginEdit(subject: ApprovalSubject, base: unknown = subject.input): CallEdit {
  const field = mainFieldOf({ ...subject, input: base })
  const text = field === undefined ? undefined : (base as Record<string, unknown>)[field]
  return field !== undefined && typeof text === 'string' && isPlain(text)
    ? { field, text, base }
    : wholeEdit(base)
}

/** Edits all of the input. */
export const wholeEdit = (base: unknown): CallEdit => ({ field: null, text: jsonText(base), base })

/** Whether a field shows a text as it is, and gives it back. */
const isPlain = (text: string): boolean => visible(text) === text && !/[\r\t]/.test(text)

/** The call that an edit makes, or why there is none. */
export function changedCall(
  { field, text, base }: CallEdit,
  subject: ApprovalSubject,
): ApprovalSubject | { fault: string } {
  const input = field === null ? jsonIn(text) : { value: { ...Object(base), [field]: text } }
  if ('fault' in input) return input
  if (isObject(subject.input) && !isObject(input.value))
    return { fault: 'This must be an object, as what the agent asked is one: { … }' }
  return sameJson(subject.input, input.value)
    ? { fault: 'Nothing is changed yet. Esc goes back to the call as the agent asked it.' }
    : { ...subject, input: input.value }
}

function jsonIn(text: string): { value: unknown } | { fault: string } {
  try {
    const value: unknown = JSON.parse(withoutMark(text))
    return isJson(value)
      ? { value }
      : { fault: 'This is nested too deep, or has a number that is too large.' }
  } catch (error) {
    return { fault: `This is no JSON: ${(error as Error).message}` }
  }
}
