import {
  type AnswerFile,
  type AnswerSubscription,
  AskError,
  type Clock,
  type ClosingReason,
  distinctWarnings,
  mayBeFollowed,
  type Observation,
  type QuestionRecord,
  type RunnerChannel,
  sleep,
  systemClock,
} from '@sandagent/core/internal'
import { type AskOptions, stableMsOf } from './ask-options.ts'
import { type Ending, hasPickedAll, readAnswerFile } from './read-answer.ts'

/** A final decision; or a reason to close the question and to read once more, with the answer or draft so far. */
export type WaitResult =
  | { kind: 'decided'; ending: Ending }
  | { kind: ClosingReason; draft: AnswerFile | null; ending?: Ending }

/** The pause before a subscription that ended is opened again. */
const LISTEN_AGAIN_MS = 100

/** What a question keeps while it waits. A class, because thousands may wait, and functions of each take memory. */
export class AnswerWait {
  readonly #channel: RunnerChannel
  readonly #record: QuestionRecord
  readonly #options: AskOptions
  readonly #observation: Observation | undefined
  /** Withdraws the question, or ends the wait. */
  readonly signal: AbortSignal | undefined
  #warn: ReturnType<typeof distinctWarnings> | null = null
  #draft: AnswerFile | null = null
  /** The draft is an answer that another may follow. It counts once it is quiet. */
  #answer: (WaitResult & { kind: 'answered' }) | null = null
  /** A timer measures the time, because clocks may jump and the host's clock may differ. */
  #cancelTimer: (() => void) | null = null
  #isTimeUp = false
  /** The subscription, or the pause before the next one. */
  #current: { close(): void } | null = null
  readonly #stop = (): void => {
    this.#current?.close()
    this.#current = null
  }

  constructor(
    channel: RunnerChannel,
    record: QuestionRecord,
    options: AskOptions,
    observation?: Observation,
  ) {
    this.#channel = channel
    this.#record = record
    this.#options = options
    this.#observation = observation
    const { signal, detachSignal } = options
    this.signal = signal && detachSignal ? AbortSignal.any([signal, detachSignal]) : (signal ?? detachSignal)
  }

  get #clock(): Clock {
    return this.#options.clock ?? systemClock
  }

  /** Tells of an answer file that cannot be the answer, or of a failure. */
  refused({ code, message }: { code: string; message: string }): void {
    const { onWarning } = this.#options
    if (!onWarning) return
    const { toolCallId } = this.#record
    this.#warn ??= distinctWarnings(onWarning)
    this.#warn(toolCallId, [{ code, message, toolCallId }])
  }

  /** Tells of an answer that counts, also of one that may still be replaced. */
  answered(answerFile: AnswerFile): void {
    this.#observation?.progress?.({ name: 'answered', answerFile })
  }

  /**
   * Waits until a person answers or declines, the time runs out, or the signal aborts. Each new draft restarts the time.
   * It may be called again when the question could not be closed.
   */
  async result(): Promise<WaitResult> {
    if (this.#answer) {
      this.#answer = this.#draft = null
      this.#isTimeUp = false
    }
    if (!this.#isTimeUp) this.#restart(timeLeft(this.#record, this.#clock.now()))
    this.signal?.addEventListener('abort', this.#stop)
    try {
      while (true) {
        // Until the timer ends, the signal aborts, or the subscription ends by itself.
        const answers = this.#listen()
        for (let found = await answers.next(); found; found = await answers.next()) {
          const decided = this.#take(found)
          if (decided) return decided
        }
        const decided = await this.#lookAgain()
        if (decided) return decided
      }
    } finally {
      this.#cancelTimer?.()
      this.signal?.removeEventListener('abort', this.#stop)
      this.#stop()
    }
  }

  #listen(): AnswerSubscription {
    const answers = this.#channel.subscribe(this.#record.toolCallId)
    this.#current = answers
    if (this.#isTimeUp || this.signal?.aborted) this.#stop()
    return answers
  }

  /** Decides after a subscription ended. It may have missed a draft of the last moment. */
  async #lookAgain(): Promise<WaitResult | null> {
    const hasEndedItself = this.#current !== null
    this.#stop()
    if (this.signal?.aborted) return { kind: 'aborted', draft: this.#draft }
    const stored = await readIfPossible(this.#channel, this.#record.toolCallId)
    const decided = stored && this.#take(stored)
    if (decided) return decided
    if (this.#isTimeUp) return this.#answer ?? { kind: 'timed-out', draft: this.#draft }
    if (hasEndedItself) {
      const pause = new AbortController()
      this.#current = { close: () => pause.abort() }
      await sleep(this.#clock, LISTEN_AGAIN_MS, pause.signal)
    }
    return null
  }

  /** Whether an answer file is the decision. */
  #take(answerFile: AnswerFile): WaitResult | null {
    const { questions, timeoutMs } = this.#record
    const reading = readAnswerFile(this.#record, answerFile)
    if (reading.kind === 'refused') {
      this.refused(reading)
      return null
    }
    if (reading.kind === 'draft') {
      if (reading.isExpired) return { kind: 'timed-out', draft: answerFile }
      if (this.#note(answerFile)) this.#restart(timeoutMs === 'never' ? null : timeoutMs)
      this.#answer = null
      return null
    }
    const { ending } = reading
    this.answered(answerFile)
    if (!mayBeFollowed(answerFile)) return { kind: 'decided', ending }
    const answer = { kind: 'answered', draft: answerFile, ending } as const
    if (hasPickedAll(questions, ending)) return answer
    if (this.#note(answerFile)) this.#restart(stableMsOf(this.#options))
    this.#answer = answer
    return null
  }

  /** Keeps what was answered so far. Whether it is new: that shows that a person is there. */
  #note(answerFile: AnswerFile): boolean {
    const isNew = JSON.stringify(answerFile) !== JSON.stringify(this.#draft)
    this.#draft = answerFile
    return isNew
  }

  /** Starts the timer from zero. `null`: it never ends. */
  #restart(ms: number | null): void {
    this.#cancelTimer?.()
    this.#isTimeUp = false
    if (ms === null) return
    this.#cancelTimer = this.#clock.after(ms, () => {
      this.#isTimeUp = true
      this.#stop()
    })
  }
}

/** The time until the deadline. At most `timeoutMs`: an earlier process may have had a wrong clock. */
function timeLeft({ timeoutMs, deadline }: QuestionRecord, now: number): number | null {
  if (timeoutMs === 'never' || deadline === null) return null
  return Math.min(Math.max(0, Date.parse(deadline) - now), timeoutMs)
}

/** `null` if it cannot be read: it is read again at the latest when the question is closing. */
async function readIfPossible(channel: RunnerChannel, toolCallId: string): Promise<AnswerFile | null> {
  try {
    return await channel.read(toolCallId)
  } catch (error) {
    if (error instanceof AskError) return null
    throw error
  }
}
