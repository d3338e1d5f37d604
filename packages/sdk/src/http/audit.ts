import { type AnswerRequest, AskError, type AskErrorCode, type Clock } from '@sandagent/core'
import type { PasskeyUse } from '../policy/passkeys.ts'

/** One decision of the answer API, for an audit log. It never contains answers, bodies or tokens. */
export interface Decision {
  /** ISO 8601. */
  at: string
  /**
   * `draft`, `vote`, `answer`, `decline` and `ask-back` store something. A `vote` is an answer that waits for more people.
   * `request` was refused before it was read.
   */
  action:
    | 'list'
    | 'read'
    | 'follow'
    | 'upload'
    | 'draft'
    | 'vote'
    | 'answer'
    | 'decline'
    | 'ask-back'
    | 'request'
  /** As the client sent it, at most 200 characters. */
  toolCallId?: string | undefined
  /**
   * The sandbox in which the call is asked, at most 200 characters: ids of calls are unique in one sandbox alone. Absent where
   * a host has only one.
   */
  sandboxId?: string | undefined
  /** As given by `authorize` or the answer link. */
  answeredBy?: string | undefined
  /** The id of the answer link that was used. */
  link?: string | undefined
  /** The id of the grant that this answer has made, or by which the host gave it. */
  grant?: string | undefined
  /** What a passkey has signed of this answer, with its public key: a proof that anybody can check. See {@link mayCount}. */
  passkey?: PasskeyUse | undefined
  /** `OK`, the code of the error, or `INTERNAL` for a failure of the host. */
  outcome: 'OK' | AskErrorCode | 'INTERNAL'
}

/** What an answer does. */
export const actionOf = ({
  status = 'completed',
  asksBack,
}: Pick<AnswerRequest, 'status' | 'asksBack'>): Decision['action'] =>
  status === 'declined' && asksBack ? 'ask-back' : ACTIONS[status]

const ACTIONS = { pending: 'draft', completed: 'answer', declined: 'decline' } as const

/** What is known of a decision so far. */
export type DecisionFacts = Partial<Omit<Decision, 'at'>>

/** The id of a call or of a sandbox as a log has it. */
export const loggedId = (id: string): string => id.slice(0, 200)

/** Whether an answer may be stored, and count, with this outcome. Of what was refused no proof is kept. */
export const mayCount = (outcome: unknown): boolean =>
  outcome === 'OK' || outcome === 'UNREACHABLE' || outcome === 'INTERNAL'

export const decisionOf = ({ passkey, ...facts }: DecisionFacts, now: number): Decision => ({
  at: new Date(now).toISOString(),
  action: 'request',
  outcome: 'OK',
  ...facts,
  ...(passkey && mayCount(facts.outcome ?? 'OK') && { passkey }),
  toolCallId: facts.toolCallId === undefined ? undefined : loggedId(facts.toolCallId),
  ...(facts.sandboxId !== undefined && { sandboxId: loggedId(facts.sandboxId) }),
})

/** Passes a decision on. A failing log does not keep a person from answering. */
export function reportDecision(
  facts: DecisionFacts,
  {
    onDecision,
    onError,
    clock,
  }: {
    onDecision: ((decision: Decision) => void) | undefined
    onError: (error: unknown) => void
    clock: Clock
  },
): void {
  try {
    onDecision?.(decisionOf(facts, clock.now()))
  } catch (error) {
    onError(error)
  }
}

/** The outcome of a decision that ended with an error. */
export const outcomeOfError = (error: unknown): Decision['outcome'] =>
  error instanceof AskError ? error.code : 'INTERNAL'
