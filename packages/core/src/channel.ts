import type { AnswerFile } from './record/answer-file.ts'
import type {
  ClosingReason,
  ClosingRecord,
  OpenRecord,
  QuestionRecord,
  Receipt,
  SettledRecord,
} from './record/question-record.ts'
import type { QuestionState } from './record/question-state.ts'

export interface OpenOptions {
  /** Asked before a record that is there is taken up. */
  mayAdopt?: (found: QuestionRecord) => Promise<boolean>
}

export interface ReadOptions {
  /** Makes of an answer file the one that counts, or `null`: then the channel looks whether there is another one. */
  accept?: (answerFile: AnswerFile) => Promise<AnswerFile | null>
}

/** The runner's end: it asks, waits, and says what it did with the answer. It never writes an answer file. */
export interface RunnerChannel {
  /**
   * Publishes a question and returns the record in force: the given one, or, after a restart, the one that is
   * there for the same tool call and the same questions, open, closing or settled. One that is not settled belongs to
   * the given record's run from then on.
   *
   * @param options.mayAdopt whether the record that is there may be taken up; if not, the given one replaces it.
   *   Default: it may, unless the channel can tell that nobody gave the answer of which it tells.
   * @throws AskError `CONFLICT` when the tool call id is taken by other questions.
   */
  open(record: OpenRecord, options?: OpenOptions): Promise<QuestionRecord>
  /**
   * The answer file that is there now, or `null`. A final one that was claimed counts, whatever was published. One that is
   * malformed is a warning and `null`.
   *
   * @throws AskError `UNREACHABLE` when the system keeps it from being read, so that nobody knows whether one is there.
   */
  read(toolCallId: string, options?: ReadOptions): Promise<AnswerFile | null>
  /** Yields the answer file that is there now, if any, then each change, until the signal aborts. */
  subscribe(toolCallId: string, signal: AbortSignal, options?: ReadOptions): AsyncIterable<AnswerFile>
  /**
   * Records, durably, that the wait is over. Every answer that a host acknowledged before is there to be read
   * afterwards; a host that stores one later waits for the receipt. Closing again changes nothing.
   */
  close(toolCallId: string, reason: ClosingReason): Promise<ClosingRecord>
  /** Records how the question ended. Settling again replaces the receipt. */
  settle(toolCallId: string, receipt: Receipt): Promise<SettledRecord>
}

/** An answer file ready to be stored: bound to its tool call. */
export type BoundAnswerFile = AnswerFile & { toolCallId: string; revision: number }

/** The host's end: it lists questions and stores answers. It never writes a question. */
export interface HostChannel {
  /**
   * Every question recorded, open and settled, oldest first. One that cannot be read is a warning.
   *
   * @param options.unsettled leaves out those that have ended, of which there may be very many
   */
  questions(options?: { unsettled?: boolean }): Promise<QuestionRecord[]>
  /**
   * All that is known of one question. What cannot be read is never taken for absent.
   *
   * @throws AskError `UNREACHABLE` when a part of it cannot be read now.
   */
  read(toolCallId: string): Promise<QuestionState>
  /** The questions that wait of runners that record none, where the channel can tell. */
  olderQuestions?(): Promise<QuestionState[]>
  /**
   * Stores an answer file, durably, before it returns.
   *
   * @param options.expectedRevision the revision of the answer file read before, 0 for none
   * @param options.isExpected whether the recorded question is still the one that is answered. Default: yes
   * @throws AskError `CONFLICT` when another answer file came first, or when another question is there by now; a final answer file
   *   is never replaced while its question stands. `UNREACHABLE` when it cannot be stored now.
   */
  write(
    answerFile: BoundAnswerFile,
    options: {
      expectedRevision: number
      isExpected?: ((record: QuestionRecord | undefined) => boolean) | undefined
    },
  ): Promise<void>
  /**
   * Yields the state of every question, or of the one given, then each change, until the signal aborts. No change is
   * missed between the first states and the changes.
   */
  subscribe(signal: AbortSignal, toolCallId?: string): AsyncIterable<QuestionState>
}
