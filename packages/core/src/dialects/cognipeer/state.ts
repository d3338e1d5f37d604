import { AskError } from '../../lib/errors.ts'
import { withIds } from '../../question/question.ts'
import { type CognipeerAnswer, type CognipeerResolution, parseResolution, resultOf } from './answer.ts'
import { type CognipeerOptions, type CognipeerQuestion, parseRequest } from './request.ts'
import { COGNIPEER_TOOL_NAME } from './tool.ts'

/** An entry of `state.pendingUserQuestions`: a call of Cognipeer's tool, and what became of it. */
export interface PendingUserQuestion {
  id: string
  toolCallId: string
  toolName: string
  /** `executed` is what Cognipeer's runtime makes of an entry once the model has read the answer. */
  status: 'pending' | 'answered' | 'cancelled' | 'executed'
  /** ISO 8601. */
  requestedAt: string
  /** Whether answers may be typed. Default true. */
  allowFreeText?: boolean
  questions: CognipeerQuestion[]
  answers?: Record<string, CognipeerAnswer>
  /** ISO 8601. */
  answeredAt?: string
  answeredBy?: string
  cancelled?: boolean
  notes?: string
  /** What Cognipeer's runtime keeps beside it; with `__subagent` it is the question of an agent below this one. */
  metadata?: Record<string, unknown>
}

/** The part of an agent's state that questions are kept in. It is JSON, and can be stored and read elsewhere. */
export interface CognipeerState {
  messages?: unknown[]
  pendingUserQuestions?: PendingUserQuestion[]
  /** Holds `__awaitingUserQuestion`, the first entry that is pending, and what Cognipeer's runtime needs to go on. */
  ctx?: Record<string, unknown>
}

/** Tells that a question waits, or how it ended. */
export interface UserQuestionEvent {
  type: 'user_question'
  status: 'pending' | 'answered' | 'cancelled'
  id: string
  toolCallId: string
  questions?: CognipeerQuestion[]
  answers?: Record<string, CognipeerAnswer>
  answeredBy?: string
  allowFreeText?: boolean
}

/** A call of Cognipeer's tool. */
export interface UserQuestionCall {
  /** Of the entry. */
  id: string
  toolCallId: string
  /** As the model sent it. */
  input: unknown
  /** ISO 8601. */
  requestedAt: string
}

/**
 * Puts a call of the tool into the state, as an entry that is pending. A call that is there already changes nothing.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function addUserQuestion<S extends CognipeerState>(
  state: S,
  { id, toolCallId, input, requestedAt }: UserQuestionCall,
  { allowFreeText = true }: CognipeerOptions = {},
): S {
  const entries = state.pendingUserQuestions ?? []
  if (entries.some((entry) => entry.toolCallId === toolCallId)) return state
  parseRequest(input, { allowFreeText })
  const { questions } = input as { questions: CognipeerQuestion[] }
  const entry: PendingUserQuestion = {
    id,
    toolCallId,
    toolName: COGNIPEER_TOOL_NAME,
    status: 'pending',
    requestedAt,
    allowFreeText,
    questions,
  }
  return withEntries(state, [...entries, entry])
}

/**
 * Decides about a pending entry: notes it there, and gives the model the answer as a tool message. The state itself
 * stays as it is.
 *
 * @param resolution its `id` is that of the entry, or of its tool call
 * @param answeredAt ISO 8601
 * @throws AskError in this order: `NOT_FOUND`, `CONFLICT` for an entry that is decided, `INVALID_ANSWERS` with the first
 *   fault of each question.
 */
export function resolveUserQuestion<S extends CognipeerState>(
  state: S,
  { id, ...given }: CognipeerResolution & { id: string },
  { answeredAt }: { answeredAt?: string } = {},
): S {
  const entries = state.pendingUserQuestions ?? []
  const entry = entries.find((each) => each.id === id) ?? entries.find((each) => each.toolCallId === id)
  if (!entry)
    throw new AskError(
      'NOT_FOUND',
      `The state has no question ${JSON.stringify(id)}. Give the id of one in pendingUserQuestions`,
      { facts: { id } },
    )
  const { status } = entry
  if (status !== 'pending')
    throw new AskError('CONFLICT', `This question is ${status} already`, { facts: { id, status } })
  const { toolCallId, toolName, allowFreeText, metadata } = entry
  // The questions are not checked: a question that cannot be shown can still be declined.
  const questions = withIds(
    entry.questions.map((question) => ({ ...question, ...(allowFreeText === false && { allowFreeText }) })),
  )
  const resolution = parseResolution(questions, given)
  const { answers = {}, answeredBy, notes, cancelled = false } = resolution
  const decided: PendingUserQuestion = {
    ...entry,
    status: cancelled ? 'cancelled' : 'answered',
    answers,
    ...(answeredAt !== undefined && { answeredAt }),
    ...(answeredBy !== undefined && { answeredBy }),
    ...(notes !== undefined && { notes }),
    ...(cancelled && { cancelled }),
  }
  const after = withEntries(
    state,
    entries.map((each) => (each === entry ? decided : each)),
  )
  const isBelow = Boolean(metadata?.__subagent)
  // Without this stage Cognipeer's runtime runs no tools: the message is their result.
  const { __resumeStage: stage, ...ctx } = after.ctx ?? {}
  const staged = stage !== undefined && (isBelow || stage !== 'tools') ? { __resumeStage: stage } : {}
  const resolved = { id: entry.id, status: decided.status }
  const next = { ...after, ctx: { ...ctx, ...staged, __userQuestionResolved: resolved } }
  // A subagent gets the answer when this agent goes on.
  if (isBelow) return next
  const content = JSON.stringify(resultOf(questions, resolution))
  const message = { role: 'tool', name: toolName, tool_call_id: toolCallId, content }
  return { ...next, messages: [...(state.messages ?? []), message] }
}

/** The state with these entries, and `ctx` telling whether a person is waited for. */
function withEntries<S extends CognipeerState>(state: S, pendingUserQuestions: PendingUserQuestion[]): S {
  const { __awaitingUserQuestion: _, ...ctx } = state.ctx ?? {}
  const next = pendingUserQuestions.find(({ status }) => status === 'pending')
  const awaiting = next && { id: next.id, toolCallId: next.toolCallId, requestedAt: next.requestedAt }
  return {
    ...state,
    pendingUserQuestions,
    ctx: { ...ctx, ...(awaiting && { __awaitingUserQuestion: awaiting }) },
  }
}

/** The event that tells how an entry stands. */
export function formatEvent({
  id,
  toolCallId,
  status,
  questions,
  answers,
  answeredBy,
  allowFreeText,
}: PendingUserQuestion): UserQuestionEvent {
  return {
    type: 'user_question',
    status: status === 'executed' ? 'answered' : status,
    id,
    toolCallId,
    ...(status === 'pending' && { questions }),
    ...(status === 'pending' && allowFreeText !== undefined && { allowFreeText }),
    ...(answers && status !== 'cancelled' && { answers }),
    ...(answeredBy !== undefined && { answeredBy }),
  }
}
