import type { Outcome } from '@sandagent/core'
import type { OpenRecord, Progress, QuestionRecord } from '@sandagent/core/internal'

/** Follows the time of one question, in milliseconds since 1970. */
export class AskTimes {
  readonly begin: number = Date.now()
  record: QuestionRecord | undefined
  /** Whether an earlier process had asked it. */
  isAdopted = false
  readonly #nonce: string
  /** When it could be answered. */
  #askedAt = this.begin
  /** When the host got the answer that counts, by the host's clock. */
  #answeredAt: number | undefined

  constructor({ nonce }: OpenRecord) {
    this.#nonce = nonce
  }

  note(progress: Progress): void {
    if (progress.name === 'answered') this.#answeredAt = Date.parse(progress.answerFile.timestamp)
    if (progress.name !== 'asked') return
    this.record = progress.record
    this.isAdopted = progress.record.nonce !== this.#nonce
    // The person has waited since the earlier process asked.
    const now = Date.now()
    this.#askedAt = this.isAdopted ? Math.min(Date.parse(progress.record.askedAt), now) : now
  }

  /**
   * Splits the time until `end`: the person's begins at `from` and ends at `to`, when the host has the answer, or else when the
   * wait is over. The host's clock may differ, so its time is moved into the wait.
   */
  until(
    end: number,
    kind: Outcome['kind'] | undefined,
  ): Record<'from' | 'to' | 'human' | 'machine', number> & { isAnswered: boolean } {
    // A submission ends the question also if it is partial.
    const isAnswered = this.#answeredAt !== undefined && kind !== 'timed-out' && kind !== 'aborted'
    const from = Math.min(this.#askedAt, end)
    const to = isAnswered ? Math.min(Math.max(this.#answeredAt ?? end, from), end) : end
    const machine = Math.max(0, end - Math.min(this.begin, from) - (to - from))
    return { from, to, human: to - from, machine, isAnswered }
  }
}
