import type { Responses } from '../answer/response.ts'

/**
 * What a person decided, read from another system's answer. It is what `submitAnswer` takes beside the tool call's id:
 * `submitAnswer(sandbox, { toolCallId, ...parseAnswer(questions, theirs) })`.
 */
export type GivenAnswer =
  | { status: 'completed'; responses: Responses }
  /** The person will not answer; `reason` in their words. */
  | { status: 'declined'; reason?: string }

/**
 * What a system's tool call ends with that knows answers only: its output, or the text of a tool error for the model
 * to read. A refusal or a time-out is never an output.
 */
export type OutputOrError<T> = { output: T } | { errorText: string }
