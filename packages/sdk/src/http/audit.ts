import { AskError, type AskErrorCode } from '@sandagent/core'

/** One decision of the answer API, for an audit log: who did what, and how it ended. Never answers, bodies or tokens. */
export interface Decision {
  /** ISO 8601. */
  at: string
  /**
   * `list`, `read` and `follow` look at questions; `draft`, `answer` and `decline` store something; `request` is one that
   * was refused before it was read.
   */
  action: 'list' | 'read' | 'follow' | 'draft' | 'answer' | 'decline' | 'request'
  /** As the client sent it, cut after 200 characters. */
  toolCallId?: string
  /** As `authorize` or the answer link says. */
  answeredBy?: string
  /** The id of the answer link that was used. */
  link?: string
  /** `OK`, the code of the refusal, or `INTERNAL` for a failure of the host. */
  outcome: 'OK' | AskErrorCode | 'INTERNAL'
}

/** What is known of a decision while it is made. */
export type DecisionFacts = Partial<Omit<Decision, 'at'>>

const MAX_ID = 200

/** A decision that is made. */
export const decisionOf = (facts: DecisionFacts, now: number): Decision => ({
  at: new Date(now).toISOString(),
  action: 'request',
  outcome: 'OK',
  ...facts,
  ...(facts.toolCallId !== undefined && { toolCallId: facts.toolCallId.slice(0, MAX_ID) }),
})

/** What an error comes to in a log. */
export const outcomeOfError = (error: unknown): Decision['outcome'] =>
  error instanceof AskError ? error.code : 'INTERNAL'
