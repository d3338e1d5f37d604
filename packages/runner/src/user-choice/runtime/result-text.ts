import { AskError } from '@sandagent/core'
import type { Delivery } from '../deliver.ts'
import { MAX_MESSAGE_BYTES } from '../http.ts'
import type { RememberedDecision } from '../tool/decisions.ts'

/** The words of the document for a choice that could not be had. */
export const FLOW_FAILED = 'Error: User choice flow failed. Please try again.'
export const UNKNOWN_OPERATION = 'Error: There is no such operation.'
export const CANCELLED = 'Error: This call was cancelled.'
export const INTERRUPTED =
  'Error: The tool was interrupted while it did this. A part of it may be done: look before you try again.'
const LOOK_FIRST = 'It may have taken it all the same: look before you try again.'
/** For a call whose tool says nothing of it. */
export const UNCERTAIN: string = `Error: The tool did not confirm this call. ${LOOK_FIRST}`
const TOO_LONG = 'Error: It is done, but its result is too long to be sent.'

/** Leaves room for the names in a message. */
const MAX_RESULT_BYTES = MAX_MESSAGE_BYTES / 2

/** A result as the model reads it. */
export const sendable = (result: string): string =>
  Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES ? TOO_LONG : result

/** What the model reads of a failure: words that were meant to be read, and no inner ones. */
export function failureOf(error: unknown): string {
  if (!(error instanceof AskError)) return 'Error: The operation failed.'
  return error.code === 'INVALID_QUESTIONS' ? FLOW_FAILED : `Error: ${error.message}`
}

/** What the model reads of an invocation that did not arrive, as far as anybody knows. */
export function undispatched(sent: Delivery): string {
  if (sent.kind === 'refused') return `Error: The tool refused this call (HTTP ${sent.status}).`
  if (sent.kind !== 'uncertain') return 'Error: The tool could not be reached.'
  return sent.status === undefined
    ? UNCERTAIN
    : `Error: The tool failed when it was called (HTTP ${sent.status}). ${LOOK_FIRST}`
}

/** The longest part of a result that is repeated for people, in characters. */
const SHOWN = 200

/** What people are shown when nobody was asked, because a decision still holds: which one, where it is, how to end it. */
export const rememberedText = (
  result: string,
  { label, scope, decidedAt, path }: RememberedDecision,
): string =>
  [
    result.length > SHOWN ? `${result.slice(0, SHOWN)}…` : result,
    `Nobody was asked: ${JSON.stringify(label)} was chosen for ${JSON.stringify(scope)} in this conversation on ${decidedAt}.`,
    `The tool keeps that in ${path}. To be asked again, close the conversation or have the tool forget it.`,
  ].join('\n')
