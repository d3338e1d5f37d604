import type { Outcome } from '@sandagent/core'

/**
 * Thrown to an agent's runtime when the user declined, nobody answered in time, or the call was aborted. The model reads
 * its message. The AI SDK hides it from the page unless the `onError` of the UI stream passes it on.
 */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError'
  readonly outcome: Outcome

  constructor(message: string, outcome: Outcome) {
    super(message)
    this.outcome = outcome
  }

  // Version 7 of the AI SDK gives the model this text. Other versions give the message.
  override toString(): string {
    return this.message
  }
}
