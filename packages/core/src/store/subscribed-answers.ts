import type { AnswerSubscription, ReadOptions } from '../channel.ts'
import { distinctWarnings } from '../lib/warnings/warning.ts'
import type { ChannelWarning, OnWarning } from '../lib/warnings/warning-codes.ts'
import type { AnswerFile } from '../record/answer-file/answer-file.ts'

export interface FoundAnswer {
  answerFile: AnswerFile | null
  /** What could not be read. */
  warning?: ChannelWarning
  /** Whether a part could not be read. Then there may still be an answer. */
  isUnknown: boolean
}

/** Gets reports of changes. */
export interface AnswerWatcher {
  readonly toolCallId: string
  onChange(): void
  onWarning(warning: ChannelWarning): void
}

/** Where the answers of a channel are looked for. */
export interface AnswerSource {
  /** Looks for the answer now. */
  find(toolCallId: string, options?: ReadOptions): Promise<FoundAnswer>
  /** Reports changes of what may be the answer. The returned function stops it. */
  watch(watcher: AnswerWatcher): () => void
  onWarning: OnWarning
}

/** A call of `next` that waits. */
interface Taker {
  resolve: (answerFile: AnswerFile | null) => void
  reject: (error: unknown) => void
}

/** The answer to a question, and each change of it. A class, because thousands may wait, and functions of each take memory. */
export class SubscribedAnswers implements AnswerSubscription, AnswerWatcher {
  readonly #source: AnswerSource
  readonly toolCallId: string
  readonly #options: ReadOptions | undefined
  #stopWatching: (() => void) | null
  #warn: ReturnType<typeof distinctWarnings> | null = null
  /** The last answer that was given, as text. */
  #content: string | null = null
  #isDue = true
  #isLooking = false
  #taker: Taker | null = null

  constructor(source: AnswerSource, toolCallId: string, options?: ReadOptions) {
    this.#source = source
    this.toolCallId = toolCallId
    this.#options = options
    this.#stopWatching = source.watch(this)
  }

  next(): Promise<AnswerFile | null> {
    return new Promise((resolve, reject) => {
      this.#taker = { resolve, reject }
      if (this.#stopWatching) void this.#look()
      else resolve(null)
    })
  }

  close(): void {
    this.#stopWatching?.()
    this.#stopWatching = null
    this.#give(null)
  }

  onChange(): void {
    this.#isDue = true
    void this.#look()
  }

  onWarning(warning: ChannelWarning): void {
    this.#report('watch', warning)
  }

  #report(subject: string, warning: ChannelWarning | undefined): void {
    if (warning) this.#warn ??= distinctWarnings(this.#source.onWarning)
    this.#warn?.(subject, warning ? [warning] : [])
  }

  /** Gives new answers to the calls of `next`, one at a time, until nothing has changed. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      while (this.#isDue && this.#taker) {
        this.#isDue = false
        const answerFile = await this.#findNew()
        if (answerFile) this.#give(answerFile)
      }
    } catch (error) {
      this.#taker?.reject(error)
      this.close()
    } finally {
      this.#isLooking = false
    }
  }

  async #findNew(): Promise<AnswerFile | null> {
    const { answerFile, warning } = await this.#source.find(this.toolCallId, this.#options)
    this.#report('file', warning)
    if (!answerFile) return null
    const content = JSON.stringify(answerFile)
    if (content === this.#content) return null
    this.#content = content
    return answerFile
  }

  #give(answerFile: AnswerFile | null): void {
    this.#taker?.resolve(answerFile)
    this.#taker = null
  }
}
