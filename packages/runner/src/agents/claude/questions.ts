import {
  type Clock,
  isSettled,
  type Outcome,
  type RunnerChannel,
  systemClock,
} from '@sandagent/core/internal'
import type { AskOptions } from '../../ask/ask-options.ts'
import type { AskRequest } from '../../ask/ask-request.ts'
import { askUser } from '../../ask/ask-user.ts'

export interface ClaudeQuestionsOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'signal' | 'onWarning'> {
  channel: RunnerChannel
  /** Called once a question can be answered. Its promise is awaited. */
  onAsked?: ((request: AskRequest) => void | Promise<void>) | undefined
}

interface PutSettings {
  detachSignal?: AbortSignal
  /** Whether a question with this id that has ended is not this one. */
  isNew?: boolean
  /** Whether what a person entered and did not send may count after a time-out. Not for approvals. */
  takesDrafts?: boolean
}

/** Takes up a question that still waits. One that has ended is asked again: its answer was for what asked then. */
const askingAnew = (channel: RunnerChannel): RunnerChannel => ({
  ...channel,
  open: (record) => channel.open(record, { mayAdopt: async (found) => !isSettled(found) }),
})

/** Asks the questions of one session of Claude. */
export class ClaudeQuestions {
  readonly #options: ClaudeQuestionsOptions
  readonly #clock: Clock
  readonly #asked = new Map<string, { request: string; isQuestion: boolean; outcome: Promise<Outcome> }>()
  readonly #waiting = new Set<Promise<unknown>>()
  readonly #onEnded = new Set<() => void>()

  constructor(options: ClaudeQuestionsOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  /** The binary may deliver a request twice: both get the same outcome. */
  ask(request: AskRequest, signal?: AbortSignal, settings: PutSettings = {}): Promise<Outcome> {
    const { toolCallId } = request
    const text = JSON.stringify(request)
    const before = this.#asked.get(toolCallId)
    if (before?.request === text) return before.outcome
    const outcome = this.#put(request, signal, settings)
    // Another request with this id ends in a conflict. The first one stays.
    if (!before)
      this.#asked.set(toolCallId, { request: text, isQuestion: request.kind !== 'approval', outcome })
    return outcome
  }

  /**
   * Waits for `waitMs` milliseconds, with `alone` also until nothing else waits. `null`: the question is still open, and
   * a later `ask` adopts it.
   */
  async askFor(
    waitMs: number,
    request: AskRequest,
    { alone = false, signal }: { alone?: boolean; signal?: AbortSignal } = {},
  ): Promise<Outcome | null> {
    const detach = new AbortController()
    let isDue = false
    const detachIfDue = (): void => {
      if (isDue && (!alone || this.#waiting.size === 1)) detach.abort()
    }
    const cancelTimer = this.#clock.after(waitMs, () => {
      isDue = true
      detachIfDue()
    })
    this.#onEnded.add(detachIfDue)
    try {
      const outcome = await this.#put(request, signal, { detachSignal: detach.signal })
      const isWithdrawn = signal?.aborted || this.#options.signal?.aborted
      return outcome.kind === 'aborted' && !isWithdrawn ? null : outcome
    } finally {
      cancelTimer()
      this.#onEnded.delete(detachIfDue)
    }
  }

  /** The outcome of a question; `undefined` for permissions and unknown ids. */
  async questionOutcome(toolCallId: string): Promise<Outcome | undefined> {
    const entry = this.#asked.get(toolCallId)
    // Only the caller of `ask` gets the error.
    return entry?.isQuestion ? entry.outcome.catch(() => undefined) : undefined
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#waiting)
  }

  #put(
    request: AskRequest,
    signal: AbortSignal | undefined,
    { detachSignal, isNew = false, takesDrafts = request.kind !== 'approval' }: PutSettings,
  ): Promise<Outcome> {
    const { channel, timeoutMs, timeoutPolicy, onAsked, onWarning, signal: session } = this.#options
    const outcome = askUser(isNew ? askingAnew(channel) : channel, request, {
      timeoutMs,
      timeoutPolicy: takesDrafts ? timeoutPolicy : 'decline',
      signal: AbortSignal.any([session, signal].filter((each) => each !== undefined)),
      detachSignal,
      clock: this.#clock,
      onAsked: () => onAsked?.(request),
      onWarning,
    })
    this.#waiting.add(outcome)
    const end = (): void => {
      this.#waiting.delete(outcome)
      for (const listener of [...this.#onEnded]) listener()
    }
    outcome.then(end, end)
    return outcome
  }
}
