import {
  type Answers,
  type ApprovalSubject,
  type Fault,
  isObject,
  mapOf,
  type OutcomeKind,
  parseJson,
  parseWith,
  type Question,
  questionsSchema,
  type Responses,
  subjectSchema,
  type TimeoutMs,
  timeoutSchema,
  toldResponsesSchema,
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
  | WithdrawLine
  | ToolLine

/** Asks the user, or for a permission. The program may go on and ask more while it waits. */
export interface AskLine {
  type: 'ask'
  /** Comes back in the answer. Default: the question's number, from `1`. */
  id?: string
  /** Default beside a `subject`: whether that call may run. */
  questions?: Question[] | undefined
  /** The call that the program wants to make, and why: this asks for a permission. */
  subject?: ApprovalSubject | undefined
  /** In milliseconds. Default: that of the run. */
  timeoutMs?: TimeoutMs | undefined
  timeoutPolicy?: TimeoutPolicy | undefined
  /** The person may ask back. The answer has `asksBack` then: the program says the reply, and asks again with another id. */
  takesQuestions?: boolean
  /** `false`: the program goes on with the defaults of its questions. Its answer says whether they hold. Default true. */
  wait?: boolean
}

/** Withdraws a question that waits. Its reply is an answer of the kind `aborted`, unless a person was faster. */
export interface WithdrawLine {
  type: 'withdraw'
  /** Of the `ask` line. */
  id: string
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
  /** By question id and by question text. A question without an answer has no key. */
  answers: Answers
  /** The answers without loss, by question id. */
  responses: Responses
  /** The ids of the secrets that were given, by question id. `npx sandagent secret ID -- COMMAND` reads each once. */
  secrets?: Record<string, string>
  /** Why the person declined, in their words, or what they ask back. */
  reason?: string
  asksBack?: true
  /** Of a question with `wait: false`: whether what the program assumed holds, by question id. */
  held?: Record<string, boolean>
  /** The outcome in words, for a model. */
  text: string
}

/** A line of the program was wrong, or its question failed. */
export interface ErrorLine {
  type: 'error'
  /** The id of the `ask` line. A line that cannot be followed may have none. */
  id?: string
  /** An `AskErrorCode`, or the system's own error code. */
  code: string
  message: string
  faults: readonly Fault[]
}

/** The messages that a program prints; `schemas/program-line.json` is made of it. */
export const messageSchema: v.GenericSchema<unknown, ProgramLine> = v.variant(
  'type',
  [
    v.strictObject({ type: v.literal('say'), text: v.string() }),
    v.pipe(
      v.strictObject({
        type: v.literal('ask'),
        id: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
        // Whoever asks checks each question, and names the call in the reply.
        questions: v.exactOptional(
          v.pipe(
            v.custom<Question[]>(Array.isArray, 'a list of questions'),
            v.metadata({ describedBy: questionsSchema }),
          ),
        ),
        subject: v.exactOptional(subjectSchema),
        timeoutMs: v.exactOptional(timeoutSchema),
        timeoutPolicy: v.exactOptional(v.picklist(['partial', 'defaults', 'decline'])),
        takesQuestions: v.exactOptional(v.boolean()),
        wait: v.exactOptional(v.boolean()),
      }),
      v.forward(
        v.check(
          ({ subject, wait }) => !subject || wait !== false,
          'true, or nothing: nobody goes on with a call before it is allowed',
        ),
        ['wait'],
      ),
    ),
    v.strictObject({ type: v.literal('withdraw'), id: v.string() }),
    v.strictObject({
      type: v.literal('tool'),
      name: v.pipe(v.string(), v.nonEmpty()),
      input: v.optional(
        v.pipe(v.custom<ToolLine['input']>(isObject, 'an object'), v.metadata({ type: 'object' })),
        {},
      ),
      output: v.optional(v.unknown(), ''),
      error: v.exactOptional(v.string()),
    }),
  ],
  'say, ask, withdraw or tool',
)

/**
 * Reads a line of a program. A JSON object with a `type` is a message; everything else is text, unless it begins like a
 * message.
 *
 * @throws AskError `INVALID_REQUEST` for a message with faults, and for one that is no JSON.
 */
export function parseProgramLine(line: string): ProgramLine {
  const message = messageIn(line)
  if (message === null && !BEGINNING.test(line)) return { type: 'text', text: line }
  const what = 'This line cannot be followed'
  return parseWith(
    messageSchema,
    message ?? parseJson(line, 'INVALID_REQUEST', what),
    'INVALID_REQUEST',
    what,
  )
}

/** What a line with faults was meant for: the reply names its id. */
export function aimOf(line: string): { type?: unknown; id?: unknown } {
  return messageIn(line) ?? messageIn(`${BEGINNING.exec(line)?.[0]}}`) ?? {}
}

/** How programs begin a message. One that goes on as no JSON is no text: its program would wait in vain. */
const BEGINNING = /^\s*\{\s*"type"\s*:\s*"(?:say|ask|withdraw|tool)"(?:\s*,\s*"id"\s*:\s*"[^"\\]*")?/

function messageIn(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'type' in value ? value : null
  } catch {
    return null
  }
}

/** The lines that a program reads; `schemas/reply-line.json` is made of it. */
export const replySchema: v.GenericSchema<unknown, ReplyLine> = v.variant('type', [
  v.object({
    type: v.literal('answer'),
    id: v.string(),
    kind: v.picklist(['answered', 'partial', 'declined', 'timed-out', 'aborted']),
    answers: mapOf(v.union([v.string(), v.array(v.string())])),
    responses: toldResponsesSchema,
    secrets: v.exactOptional(mapOf(v.string())),
    reason: v.exactOptional(v.string()),
    asksBack: v.exactOptional(v.literal(true)),
    held: v.exactOptional(mapOf(v.boolean())),
    text: v.string(),
  }),
  v.object({
    type: v.literal('error'),
    id: v.exactOptional(v.string()),
    code: v.string(),
    message: v.string(),
    faults: v.array(v.object({ path: v.string(), expected: v.string() })),
  }),
])

/** Reads a line that a program gets. @throws AskError `INVALID_REQUEST` for anything else. */
export function parseReplyLine(line: string): ReplyLine {
  const what = 'This is no reply of a run'
  return parseWith(replySchema, parseJson(line, 'INVALID_REQUEST', what), 'INVALID_REQUEST', what)
}
