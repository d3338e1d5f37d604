import {
  type AnswerTexts,
  type Fault,
  type OutcomeKind,
  parseWith,
  type Question,
  type Responses,
  type TimeoutMs,
  timeoutSchema,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import type { TimeoutPolicy } from '../../ask/read-answer.ts'

/** A line of a program's standard output. */
export type ProgramLine =
  /** A line that is no message. It is shown as it is. */
  | { type: 'text'; text: string }
  /** A paragraph, in Markdown. */
  | { type: 'say'; text: string }
  | AskLine
  | ToolLine

/** Asks the user. The program may go on and ask more while it waits. */
export interface AskLine {
  type: 'ask'
  /** Comes back in the answer. Default: the question's number, from `1`. */
  id?: string
  questions: Question[]
  /** In milliseconds. Default: that of the run. */
  timeoutMs?: TimeoutMs | undefined
  timeoutPolicy?: TimeoutPolicy | undefined
}

/** Shows work that is done: its output, or why it failed. */
export interface ToolLine {
  type: 'tool'
  name: string
  input: Record<string, unknown>
  output: unknown
  error?: string
}

/** A line of a program's standard input. */
export type ReplyLine = AnswerLine | ErrorLine

/** How a question ended. */
export interface AnswerLine {
  type: 'answer'
  id: string
  kind: OutcomeKind
  /** Answers as text by question text. */
  answers: AnswerTexts
  /** The answers without loss, by question id. */
  responses: Responses
  /** The outcome in words, for a model. */
  text: string
}

/** A line of the program was wrong, or its question failed. */
export interface ErrorLine {
  type: 'error'
  /** The id of the question, if it was one. */
  id?: string
  /** An `AskErrorCode`, or the system's own error code. */
  code: string
  message: string
  faults: readonly Fault[]
}

const messageSchema: v.GenericSchema<unknown, ProgramLine> = v.variant(
  'type',
  [
    v.strictObject({ type: v.literal('say'), text: v.string() }),
    v.strictObject({
      type: v.literal('ask'),
      id: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
      questions: v.custom<Question[]>(Array.isArray, 'a list of questions'),
      timeoutMs: v.exactOptional(timeoutSchema),
      timeoutPolicy: v.exactOptional(v.picklist(['partial', 'defaults', 'decline'])),
    }),
    v.strictObject({
      type: v.literal('tool'),
      name: v.pipe(v.string(), v.nonEmpty()),
      input: v.optional(v.record(v.string(), v.unknown()), {}),
      output: v.optional(v.unknown(), ''),
      error: v.exactOptional(v.string()),
    }),
  ],
  'say, ask or tool',
)

/**
 * Reads a line of a program. A JSON object with a `type` is a message; everything else is text.
 *
 * @throws AskError `INVALID_REQUEST` for a message with faults.
 */
export function parseProgramLine(line: string): ProgramLine {
  const message = messageIn(line)
  return message === null
    ? { type: 'text', text: line }
    : parseWith(messageSchema, message, 'INVALID_REQUEST', 'This line cannot be followed')
}

function messageIn(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'type' in value ? value : null
  } catch {
    return null
  }
}
