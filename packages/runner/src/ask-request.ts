import { randomUUID } from 'node:crypto'
import {
  type ApprovalSubject,
  type OpenRecord,
  parseQuestions,
  type Question,
  type TimeoutMs,
} from '@sandagent/core'

/** A question as an agent puts it. */
export interface AskRequest {
  /** The tool call that asks. Asking again under the same id adopts the question that is there. */
  toolCallId: string
  /** Default `AskUserQuestion`. */
  toolName?: string
  /** `approval` asks for permission to use another tool. Default `question`. */
  kind?: 'question' | 'approval'
  questions: readonly Question[]
  /** Of an approval: the tool call that it permits. */
  subject?: ApprovalSubject
  /** The run that asks. */
  runId: string
}

/**
 * The record of a request that is put at `now`, in milliseconds since 1970.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export const recordOf = (request: AskRequest, timeoutMs: TimeoutMs, now: number): OpenRecord => ({
  version: 1,
  toolCallId: request.toolCallId,
  toolName: request.toolName ?? 'AskUserQuestion',
  kind: request.kind ?? 'question',
  questions: parseQuestions(request.questions),
  ...(request.subject && { subject: request.subject }),
  askedAt: new Date(now).toISOString(),
  timeoutMs,
  deadline: timeoutMs === 'never' ? null : new Date(now + timeoutMs).toISOString(),
  nonce: randomUUID(),
  runId: request.runId,
  state: 'open',
})
