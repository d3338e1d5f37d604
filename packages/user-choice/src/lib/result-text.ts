import { AskError } from '@sandagent/core'
import type { Delivery } from './deliver.ts'
import { MAX_MESSAGE_BYTES } from './http.ts'

/** The text of the User Choice document for a choice that failed. */
export const FLOW_FAILED = 'Error: User choice flow failed. Please try again.'
export const UNKNOWN_OPERATION = 'Error: There is no such operation.'
export const CANCELLED = 'Error: This call was cancelled.'
export const WITHDRAWN = 'Error: This call was withdrawn.'
export const INTERRUPTED =
  'Error: The tool was interrupted while it did this. A part of it may be done: look before you try again.'
const LOOK_FIRST = 'It may have taken it all the same: look before you try again.'
export const UNCERTAIN: string = `Error: The tool did not confirm this call. ${LOOK_FIRST}`
const TOO_LONG = 'Error: It is done, but its result is too long to be sent.'

/** Leaves room for the rest of the message. */
const MAX_RESULT_BYTES = MAX_MESSAGE_BYTES / 2

export const sendable = (result: string): string =>
  Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES ? TOO_LONG : result

/** The model reads messages of `AskError` only. */
export function failureOf(error: unknown): string {
  if (!(error instanceof AskError)) return 'Error: The operation failed.'
  return error.code === 'INVALID_QUESTIONS' ? FLOW_FAILED : `Error: ${error.message}`
}

/** What the model reads when the invocation was not confirmed. */
export function undispatched(sent: Delivery): string {
  if (sent.kind === 'refused') return `Error: The tool refused this call (HTTP ${sent.status}).`
  if (sent.kind !== 'uncertain') return 'Error: The tool could not be reached.'
  return sent.status === undefined
    ? UNCERTAIN
    : `Error: The tool failed when it was called (HTTP ${sent.status}). ${LOOK_FIRST}`
}

/** What people see beside the result when a remembered decision was used. */
export const rememberedNote = (decision: Record<'label' | 'scope' | 'decidedAt' | 'path', string>): string =>
  [
    `Nobody was asked: ${JSON.stringify(decision.label)} was chosen for ${JSON.stringify(decision.scope)} in this conversation on ${decision.decidedAt}.`,
    `The tool keeps that in ${decision.path}. To be asked again, close the conversation or have the tool forget it.`,
  ].join('\n')

/** The longest part of a result that people see beside a note, in characters. */
const SHOWN = 200

export const displayOf = (result: string, note: string): string =>
  `${result.length > SHOWN ? `${result.slice(0, SHOWN)}…` : result}\n${note}`
