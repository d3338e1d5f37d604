import {
  type AnswerFile,
  type AnswerSubscription,
  AskError,
  type Clock,
  type ClosingReason,
  mayBeFollowed,
  type QuestionRecord,
  type RunnerChannel,
  sleep,
} from '@sandagent/core/internal'
import { type Ending, hasPickedAll, readAnswerFile } from './read-answer.ts'
import { RestartableTimer } from './restartable-timer.ts'

/** A final decision; or a reason to close the question and to read once more, with the answer or draft so far. */
export type WaitResult =
  | { kind: 'decided'; ending: Ending }
  | { kind: ClosingReason; draft: AnswerFile | null; ending?: Ending }

export interface WaitOptions {
  signal: AbortSignal | undefined
  clock: Clock
  /** How long an answer that another may follow must stay the same, in milliseconds. */
  stableMs: number
  onRefused: (refused: { code: string; message: string }) => void
  /** Called for answers that count, also for those that may still be replaced. */
  onAnswer: ((answerFile: AnswerFile) => void) | undefined
  /** The first wait in milliseconds, `null` for ever. Default: what is left until the record's deadline. */
  firstWaitMs?: number | null
  draft?: AnswerFile | null
}

/** The pause before a subscription that ended is opened again. */
const LISTEN_AGAIN_MS = 100

/**
 * Waits until a person answers or declines, the time runs out, or the signal aborts. Each new draft restarts the time.
 * A timer measures it, because clocks may jump and the host's clock may differ.
 */
export async function waitForAnswer(
  channel: RunnerChannel,
  record: QuestionRecord,
  options: WaitOptions,
): Promise<WaitResult> {
  const wait = new Wait(channel, record, options)
  try {
    while (true) {
      const answers = wait.listen()
      for (let found = await answers.next(); found; found = await answers.next()) {
        const decided = wait.take(found)
        if (decided) return decided
      }
      const decided = await wait.lookAgain()
      if (decided) return decided
    }
  } finally {
    wait.end()
  }
}

/** What a question keeps while it waits. A class, because thousands may wait, and functions of each take memory. */
class Wait {
  readonly #channel: RunnerChannel
  readonly #record: QuestionRecord
  readonly #options: WaitOptions
  readonly #time: RestartableTimer
  #quiet: RestartableTimer | null = null
  #draft: AnswerFile | null
  #complete: { content: string; answer: WaitResult } | null = null
  /** The subscription, or the pause before the next one. */
  #current: { close(): void } | null = null
  /** Whether a timer or the signal ended it. */
  #isStopped = false
  readonly #stop = (): void => {
    this.#isStopped = true
    this.#current?.close()
  }

  constructor(channel: RunnerChannel, record: QuestionRecord, options: WaitOptions) {
    const { clock, signal, draft = null, firstWaitMs = timeLeft(record, clock.now()) } = options
    this.#channel = channel
    this.#record = record
    this.#options = options
    this.#draft = draft
    this.#time = new RestartableTimer(clock, this.#stop)
    this.#time.start(firstWaitMs)
    signal?.addEventListener('abort', this.#stop)
  }

  /** Subscribes to the answers until a timer ends or the signal aborts. */
  listen(): AnswerSubscription {
    const answers = this.#channel.subscribe(this.#record.toolCallId)
    this.#current = answers
    this.#isStopped = false
    if (this.#time.hasEnded || this.#quiet?.hasEnded || this.#options.signal?.aborted) this.#stop()
    return answers
  }

  /** Whether an answer file is the decision. */
  take(answerFile: AnswerFile): WaitResult | null {
    const reading = readAnswerFile(this.#record, answerFile)
    if (reading.kind === 'refused') this.#options.onRefused(reading)
    if (reading.kind === 'draft') {
      if (reading.isExpired) return { kind: 'timed-out', draft: reading.draft }
      this.#note(reading.draft, null)
    }
    if (reading.kind !== 'ending') return null
    const { ending } = reading
    this.#options.onAnswer?.(answerFile)
    if (!mayBeFollowed(answerFile)) return { kind: 'decided', ending }
    const answer: WaitResult = { kind: 'answered', draft: answerFile, ending }
    if (hasPickedAll(this.#record.questions, ending)) return answer
    this.#note(answerFile, answer)
    return null
  }

  /** Keeps a draft, or an answer that may be followed. A new one shows that a person is there. */
  #note(answerFile: AnswerFile, answer: WaitResult | null): void {
    const content = JSON.stringify(answerFile)
    const { timeoutMs } = this.#record
    if (!answer) this.#quiet?.stop()
    else if (content !== this.#complete?.content) {
      this.#quiet ??= new RestartableTimer(this.#options.clock, this.#stop)
      this.#quiet.start(this.#options.stableMs)
    }
    this.#complete = answer && { content, answer }
    if (content !== JSON.stringify(this.#draft) && timeoutMs !== 'never') this.#time.start(timeoutMs)
    this.#draft = answerFile
  }

  /** Decides after a subscription ended. It may have missed a draft of the last moment. */
  async lookAgain(): Promise<WaitResult | null> {
    this.#current?.close()
    if (this.#options.signal?.aborted) return { kind: 'aborted', draft: this.#draft }
    const stored = await readIfPossible(this.#channel, this.#record.toolCallId)
    const decided = stored && this.take(stored)
    if (decided) return decided
    if (this.#quiet?.hasEnded && this.#complete) return this.#complete.answer
    if (this.#time.hasEnded) return { kind: 'timed-out', draft: this.#draft }
    if (!this.#isStopped) await this.#pause()
    return null
  }

  async #pause(): Promise<void> {
    const pause = new AbortController()
    this.#current = { close: () => pause.abort() }
    await sleep(this.#options.clock, LISTEN_AGAIN_MS, pause.signal)
  }

  end(): void {
    this.#time.stop()
    this.#quiet?.stop()
    this.#options.signal?.removeEventListener('abort', this.#stop)
    this.#stop()
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
