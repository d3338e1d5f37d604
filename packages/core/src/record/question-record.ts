import * as v from 'valibot'
import { responsesSchema } from '../answer/parse-responses.ts'
import { type PasskeyDemand, passkeyDemandSchema } from '../answer/passkey-proof.ts'
import type { Responses } from '../answer/response.ts'
import { AskError } from '../lib/errors.ts'
import { filledText, isoTime, listOf, parseJson, parseWith } from '../lib/schema.ts'
import { questionsSchema } from '../question/parse-questions.ts'
import type { AskedQuestion } from '../question/question.ts'
import { foreignSchema, toolInputSchema } from '../question/tool-input.ts'
import { type ApprovalReason, reasonsSchema } from './approval-reason.ts'
import { type FollowedCall, followsSchema } from './followed-call.ts'
import { type TimeoutMs, timeoutSchema } from './timeout.ts'
import { traceparentSchema } from './traceparent.ts'

/** How a question can end. */
export type OutcomeKind = 'answered' | 'partial' | 'declined' | 'timed-out' | 'aborted'

/** What the runner did with the answer: its receipt. */
export interface Receipt {
  state: OutcomeKind
  /** ISO 8601. */
  settledAt: string
  /** The responses that the agent got. */
  responses: Responses
  /** Who answered, as the host said. */
  answeredBy?: string
  /** Under a policy that asks for several votes: everybody who gave this answer. */
  voters?: string[]
  /** Why a person declined, in their words, or what they asked back. */
  reason?: string
  /** The person has not decided: they ask what `reason` says. */
  asksBack?: true
  /** The revision of the answer file that settled the question. */
  revision?: number
}

/** The tool call that an approval permits, as it will run. Pages show this, not what a message says about the call. */
export interface ApprovalSubject {
  toolName: string
  input: unknown
  /** Why it is asked. */
  reasons?: ApprovalReason[]
  /** A person may edit the input: the asker runs the edited one exactly as it comes, and tells its agent. */
  editable?: true
  /** The JSON Schema of the tool's input, for the form in which it is edited. */
  schema?: Record<string, unknown>
}

/** The agent below the main one that asks. */
export interface Asker {
  /** Its name or kind, such as `code-reviewer`. */
  agent?: string
  /** The tool call that started it. */
  parentToolCallId?: string
}

interface RecordBase {
  version: 1
  toolCallId: string
  toolName: string
  /** `approval` asks for permission to use another tool. */
  kind: 'question' | 'approval'
  questions: AskedQuestion[]
  /** Of an approval: the tool call that it permits. */
  subject?: ApprovalSubject
  /** Absent: the main agent asks. Two records that differ in this alone ask the same. */
  asker?: Asker
  /** The asker takes a question in place of an answer, and asks again then. */
  takesQuestions?: true
  /** The asker waits for nothing: it goes on with the default of each question until the answer comes. Absent: it waits. */
  blocking?: false
  /**
   * The asker looks for the answer by the ticket, from any process: so it may have ended its own. Absent: it reads the answer
   * in the process that asks, or when somebody starts its run again.
   */
  comesBack?: true
  /**
   * Of an open question: its asker has stopped waiting, while its process may go on. Whoever takes the question up removes it.
   */
  left?: true
  /** The call before, about which a person asked back. */
  follows?: FollowedCall
  /** ISO 8601. */
  askedAt: string
  timeoutMs: TimeoutMs
  /** ISO 8601: when the wait ends if nobody touches the question; `null` for never. See `deadlineOf`. */
  deadline: string | null
  /** Random for each question. An answer file with another nonce is for another question. */
  nonce: string
  /** The run that asks. */
  runId: string
  /**
   * The process that asks, `PID START HOST/BOOT/NAMESPACE`: a host on the same machine can tell when it is gone. Absent
   * where the system does not tell it.
   */
  process?: string
  /**
   * The folder of the record, `DEVICE:INODE:BIRTH HOST/BOOT`: a host on the same machine can tell that it has a copy of the
   * folder, which nobody waits for. Absent where the system does not tell it.
   */
  place?: string
  /**
   * The ids of the public keys by which the runner checks answers. A host without any of these keys can store no answer for it.
   * Absent where answers need no signature.
   */
  publicKeyIds?: string[]
  /** Of an approval: the passkeys that must sign for an answer that allows it. Absent where the run demands none. */
  passkeys?: PasskeyDemand
  /**
   * The digests of answers that were there before the question was asked: they answer something else. `*` stands for one
   * that could not be read.
   */
  passedOver?: string[]
  /** The trace that the question belongs to, as W3C Trace Context writes it. No decision depends on it. */
  traceparent?: string
}

/** A question that waits. */
export interface OpenRecord extends RecordBase {
  state: 'open'
}

/** Why a runner stops waiting. `answered`: for an answer that could have been replaced until now. */
export type ClosingReason = 'answered' | 'timed-out' | 'aborted'

/**
 * A question whose runner has stopped waiting. The runner looks for an answer once more and then writes the receipt.
 * Until then nobody knows whether an answer that is stored now reaches the agent.
 */
export interface ClosingRecord extends RecordBase {
  state: 'closing'
  closingFor: ClosingReason
}

/** A question that ended, with what the agent was told. */
export interface SettledRecord extends RecordBase, Receipt {}

/** A question without a receipt. */
export type UnsettledRecord = OpenRecord | ClosingRecord

/** The content of `.sandagent/questions/NAME.json`, written by the runner alone. */
export type QuestionRecord = UnsettledRecord | SettledRecord

/** Whether a question has ended, and its receipt is written. */
export const isSettled = (record: QuestionRecord): record is SettledRecord =>
  record.state !== 'open' && record.state !== 'closing'

/** The tool call that a permission is for. */
export const subjectSchema: v.GenericSchema<unknown, ApprovalSubject> = v.object({
  toolName: filledText,
  input: toolInputSchema,
  reasons: v.exactOptional(reasonsSchema),
  editable: v.exactOptional(v.literal(true)),
  schema: v.exactOptional(foreignSchema),
})

/** Who asks, as the asker says. */
export const askerSchema: v.GenericSchema<unknown, Asker> = v.object({
  agent: v.exactOptional(filledText),
  parentToolCallId: v.exactOptional(filledText),
})

/** More keys than a host changes in the life of a run. */
const MOST_KEYS = 100

const base = {
  version: v.literal(1),
  toolCallId: v.string(),
  toolName: filledText,
  kind: v.picklist(['question', 'approval']),
  questions: questionsSchema,
  subject: v.exactOptional(subjectSchema),
  asker: v.exactOptional(askerSchema),
  takesQuestions: v.exactOptional(v.literal(true)),
  blocking: v.exactOptional(v.literal(false)),
  comesBack: v.exactOptional(v.literal(true)),
  left: v.exactOptional(v.literal(true)),
  follows: v.exactOptional(followsSchema),
  askedAt: isoTime,
  timeoutMs: timeoutSchema,
  deadline: v.nullable(isoTime),
  nonce: filledText,
  runId: v.string(),
  passedOver: v.exactOptional(v.array(v.string())),
  process: v.exactOptional(v.string()),
  place: v.exactOptional(v.string()),
  publicKeyIds: v.exactOptional(listOf(v.string(), MOST_KEYS)),
  passkeys: v.exactOptional(passkeyDemandSchema),
  traceparent: v.exactOptional(traceparentSchema),
}

/** The shape of a question file, in each of its states. */
export const recordSchema: v.GenericSchema<unknown, QuestionRecord> = v.variant('state', [
  v.object({ ...base, state: v.literal('open') }),
  v.object({
    ...base,
    state: v.literal('closing'),
    closingFor: v.picklist(['answered', 'timed-out', 'aborted']),
  }),
  v.object({
    ...base,
    state: v.picklist(['answered', 'partial', 'declined', 'timed-out', 'aborted']),
    settledAt: isoTime,
    responses: responsesSchema,
    answeredBy: v.exactOptional(v.string()),
    voters: v.exactOptional(v.array(v.string())),
    reason: v.exactOptional(v.string()),
    asksBack: v.exactOptional(v.literal(true)),
    revision: v.exactOptional(v.number()),
  }),
])

/**
 * Reads the text of a question file.
 *
 * @throws AskError `INVALID_FILE` with every fault, also when the file is another tool call's.
 */
export function parseQuestionRecord(text: string, toolCallId?: string): QuestionRecord {
  const what = 'This is no question file'
  const record = parseWith(recordSchema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
  if (toolCallId !== undefined && record.toolCallId !== toolCallId)
    throw new AskError('INVALID_FILE', 'This question file belongs to another tool call', {
      facts: { toolCallId: record.toolCallId },
    })
  return record
}

/** The closing form of a record. One that is closing already keeps its reason. */
export const closeRecord = (record: UnsettledRecord, closingFor: ClosingReason): ClosingRecord => ({
  closingFor,
  ...record,
  state: 'closing',
})

/** The settled form of a record. */
export function withReceipt(record: QuestionRecord, receipt: Receipt): SettledRecord {
  const { closingFor: _, ...asked }: QuestionRecord & { closingFor?: ClosingReason } = record
  return { ...asked, ...receipt }
}
