import { randomUUID } from 'node:crypto'
import {
  type ApprovalSubject,
  type Asker,
  askerSchema,
  checkOptions,
  filledText,
  type OpenRecord,
  type OptionNames,
  parseQuestions,
  parseWith,
  type Question,
  subjectSchema,
  type TimeoutMs,
  timeoutSchema,
} from '@sandagent/core/internal'
import * as v from 'valibot'

/** A question as an agent puts it. */
export interface AskRequest {
  /** The tool call that asks. Asking again under the same id adopts the question that is there. */
  toolCallId: string
  /** Default `AskUserQuestion`. */
  toolName?: string | undefined
  /** `approval` asks for permission to use another tool. Default `question`. */
  kind?: 'question' | 'approval' | undefined
  questions: readonly Question[]
  /** Of an answer file: the tool call that it permits. */
  subject?: ApprovalSubject | undefined
  /** The agent below the main one that asks. */
  asker?: Asker | undefined
  /** The run that asks. */
  runId: string
}

const NAMES: OptionNames<AskRequest> = {
  toolCallId: true,
  toolName: true,
  kind: true,
  questions: true,
  subject: true,
  asker: true,
  runId: true,
}

/** What would make a record that no host reads, or a question that nobody can answer. */
const callSchema = v.object({
  toolCallId: filledText,
  toolName: filledText,
  kind: v.picklist(['question', 'approval']),
  subject: v.exactOptional(subjectSchema),
  asker: v.exactOptional(askerSchema),
  runId: v.string(),
  timeoutMs: timeoutSchema,
})

/**
 * The record of a request that is put at `now`, in milliseconds since 1970.
 *
 * @throws AskError `INVALID_REQUEST` or `INVALID_QUESTIONS` with every fault.
 */
export function openRecordOf(request: AskRequest, timeoutMs: TimeoutMs, now: number): OpenRecord {
  checkOptions('askUser: its request', request, NAMES)
  const { toolCallId, toolName = 'AskUserQuestion', kind = 'question', subject, asker, runId } = request
  const call = {
    toolCallId,
    toolName,
    kind,
    runId,
    timeoutMs,
    ...(subject && { subject }),
    ...(asker && { asker }),
  }
  return {
    version: 1,
    ...parseWith(callSchema, call, 'INVALID_REQUEST', 'This cannot be asked'),
    questions: parseQuestions(request.questions),
    askedAt: new Date(now).toISOString(),
    deadline: timeoutMs === 'never' ? null : new Date(now + timeoutMs).toISOString(),
    nonce: randomUUID(),
    state: 'open',
  }
}
