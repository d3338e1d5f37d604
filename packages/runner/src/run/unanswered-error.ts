import type { Outcome } from '@sandagent/core'

/**
 * Thrown to agents' runtimes when the user declined, nobody answered in time, or the call was aborted, where there is
 * no other way to a tool error. The model reads its message. To a page the AI SDK says "An error occurred." unless the
 * `onError` of the UI stream lets the message through.
 */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError'
  readonly outcome: Outcome

  constructor(message: string, outcome: Outcome) {
    super(message)
    this.outcome = outcome
  }

  // Version 7 of the AI SDK gives the model what an error prints as: without the name it reads the same everywhere.
  override toString(): string {
    return this.message
  }
}
