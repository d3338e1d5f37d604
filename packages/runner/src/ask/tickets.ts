// Why it is so: docs/decisions/0112-a-ticket-is-the-id-of-its-call.md

import { isDeepStrictEqual } from 'node:util'
import {
  isSettled,
  type Outcome,
  type Question,
  type QuestionRecord,
  type RunnerChannel,
} from '@sandagent/core/internal'
import type { AskOptions } from './ask-options.ts'
import { askUser } from './ask-user.ts'
import { readAnswerFile } from './read-answer.ts'
import { isFailure } from './receipts.ts'

/** How a question stands for which nobody waits. */
export type Standing = { kind: 'open'; record: QuestionRecord } | { kind: 'ended'; outcome: Outcome }

/** A question for which nobody waits. */
export interface Ticket {
  /** Resolves once the question can be answered, or has ended, also by another process that waits for it. */
  now(): Promise<Standing>
  outcome: Promise<Outcome>
  withdraw(): void
  /** How many calls of the asker wait for the outcome, or have it: with one, nobody else need tell it. */
  takers: number
}

export interface TicketsOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'onWarning' | 'asksWithdrawn'> {
  runId: string
  /** The asker finds its questions from a later process by itself. Default: somebody starts its run again. */
  comesBack?: boolean | undefined
  toolName: string
  /** Withdraws all that is open. */
  signal?: AbortSignal | undefined
  /** Called for each question that this process waits for. */
  onBegun?: ((ticket: Ticket, toolCallId: string) => void) | undefined
  /** Whether a question that an earlier process asked is one of this asker's. Default: what its tool has asked. */
  isOwn?: ((record: QuestionRecord) => boolean) | undefined
}

/** The questions of one asker for which it does not wait, by the id of their calls. */
export class Tickets {
  /** Where its questions are asked. */
  readonly channel: RunnerChannel
  readonly #options: TicketsOptions
  readonly #waiting = new Map<string, { ticket: Ticket; questions: readonly Question[] }>()
  readonly #stop = new AbortController()

  constructor(channel: RunnerChannel, options: TicketsOptions) {
    this.channel = channel
    this.#options = options
  }

  /** How many questions are open. */
  get size(): number {
    return this.#waiting.size
  }

  /** A second call with the same id joins the first; other questions under it are a conflict, as everywhere. */
  begin(
    toolCallId: string,
    questions: readonly Question[],
    blocking?: false,
    found?: QuestionRecord,
  ): Ticket {
    const before = this.#waiting.get(toolCallId)
    if (before && isDeepStrictEqual(before.questions, questions)) return before.ticket
    const { runId: ownRunId, toolName, comesBack, signal, onBegun, isOwn: _, ...options } = this.#options
    // Its answer is signed for the run that asked it.
    const runId = found?.runId ?? ownRunId
    const withdrawal = new AbortController()
    let noteAsked: (record: QuestionRecord) => void = () => {}
    const asked = new Promise<QuestionRecord>((resolve) => {
      noteAsked = resolve
    })
    const outcome = askUser(
      this.channel,
      { toolCallId, toolName, questions, takesQuestions: true, blocking, comesBack, runId },
      {
        ...options,
        onAsked: noteAsked,
        signal: signal ? AbortSignal.any([signal, withdrawal.signal]) : withdrawal.signal,
        detachSignal: this.#stop.signal,
      },
    )
    const ended = outcome.then((outcome): Standing => ({ kind: 'ended', outcome }))
    const opened = asked.then(async (record): Promise<Standing> => {
      if (isSettled(record)) return ended
      // It may have been answered since an earlier process asked.
      const stored = found ? await this.channel.read(toolCallId) : null
      return stored && readAnswerFile(record, stored).kind === 'ending' ? ended : { kind: 'open', record }
    })
    // What fails is told to whoever looks.
    opened.catch(() => {})
    ended.catch(() => {})
    const withdraw = (): void => withdrawal.abort()
    const now = async (): Promise<Standing> => {
      const standing = await Promise.race([ended, opened])
      if (standing.kind === 'ended' || !(await this.#isWithdrawn(standing.record))) return standing
      withdraw()
      return ended
    }
    const ticket: Ticket = { now, outcome, withdraw, takers: 0 }
    if (before) return ticket
    this.#waiting.set(toolCallId, { ticket, questions })
    // Its failure is told to whoever asks for the ticket next: it is looked for again then.
    const forget = (): void => void this.#waiting.delete(toolCallId)
    ended.then(forget, forget)
    onBegun?.(ticket, toolCallId)
    return ticket
  }

  /** The question of a ticket, which an earlier process may have asked. `undefined`: there is none. */
  async find(toolCallId: string): Promise<Ticket | undefined> {
    const there = this.#waiting.get(toolCallId)
    if (there) return there.ticket
    const record = await this.channel.recordOf(toolCallId)
    const { toolName, isOwn = () => true } = this.#options
    // What others ask in the same place is no ticket of this tool.
    if (record?.toolName !== toolName || record.kind !== 'question' || !isOwn(record)) return undefined
    return this.begin(toolCallId, record.questions, record.blocking, record)
  }

  /** Whether another process has withdrawn a question. While the store is out of reach, what was known last counts. */
  async #isWithdrawn({ toolCallId, nonce }: QuestionRecord): Promise<boolean> {
    try {
      const stored = await this.channel.recordOf(toolCallId)
      return stored?.state === 'aborted' && stored.nonce === nonce
    } catch (error) {
      if (!isFailure(error)) throw error
      return false
    }
  }

  /** Waits no longer. The questions stay open: the next process finds them by their tickets. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.allSettled([...this.#waiting.values()].map(({ ticket }) => ticket.outcome))
  }
}
