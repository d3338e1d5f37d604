import type { Attachment } from './answer/files/attachment.ts'
import type { FilePlace } from './answer/files/file-loss.ts'
import type { FilePiece } from './answer/files/stored-file.ts'
import type { AskError } from './lib/errors.ts'
import type { AnswerFile } from './record/answer-file/answer-file.ts'
import type { RecordIdentity } from './record/answer-file/record-identity.ts'
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
  /** Decides whether an existing record is adopted. */
  mayAdopt?: (found: QuestionRecord) => Promise<boolean>
}

export interface ReadOptions {
  /** Returns the answer file that counts, or `null`. After `null` the channel looks for another file. */
  accept?: (answerFile: AnswerFile) => Promise<AnswerFile | null>
}

/** The answer files of one question, one after another. */
export interface AnswerSubscription {
  /**
   * Resolves to the answer file that is there now, if any, then to each change. `null`: the subscription is closed, or ended
   * by itself.
   */
  next(): Promise<AnswerFile | null>
  /** Releases everything at once. A `next` that waits resolves to `null`. */
  close(): void
}

/** The runner's end: it asks, waits, and says what it did with the answer. It never writes an answer file. */
export interface RunnerChannel {
  /**
   * Publishes a question and returns the record in force. After a restart that is the existing record for the same tool
   * call and the same questions, in any state. If it is not settled, it belongs to the given record's run from then on.
   *
   * @param options.mayAdopt whether the existing record is adopted; otherwise the given one replaces it. Default: yes,
   *   unless its receipt tells of an answer that nobody gave. An open record whose secrets have other keys never is.
   * @throws AskError `CONFLICT` when the tool call id is taken by other questions.
   */
  open(record: OpenRecord, options?: OpenOptions): Promise<QuestionRecord>
  /**
   * The record of a tool call as it is stored now, in any state, or `null`. An agent, or another process that waits, may have
   * written it: `open` is what judges it.
   */
  recordOf(toolCallId: string): Promise<QuestionRecord | null>
  /**
   * The present answer file, or `null`. A claimed final answer file counts before the published one. A malformed file
   * is a warning and `null`.
   *
   * @throws AskError `UNREACHABLE` when the system cannot read the file. Then nobody knows whether there is an answer.
   */
  read(toolCallId: string, options?: ReadOptions): Promise<AnswerFile | null>
  /** Subscribes to the answer files of a question. The caller closes the subscription. */
  subscribe(toolCallId: string, options?: ReadOptions): AnswerSubscription
  /**
   * Records, durably, that the wait is over. Afterwards every answer that a host acknowledged before can be read. A host
   * that stores a later answer waits for the receipt. Closing again changes nothing.
   */
  close(toolCallId: string, reason: ClosingReason): Promise<ClosingRecord>
  /**
   * Records that nobody waits for the answer in this process any more. The question stays open. Where another process has taken
   * it up, or it is not open, nothing changes.
   */
  leave(toolCallId: string): Promise<void>
  /**
   * Where the bytes of a file are that a person gave for a call, and that are as the answer says. Absent, and `readFile` too:
   * no files come with the answers of this channel.
   *
   * @param signal ends the wait for a store that is out of reach
   */
  fileAt?(file: Attachment, toolCallId: string, signal?: AbortSignal): Promise<FilePlace>
  /** For files that are elsewhere: a piece of one, as `QuestionStore.readFile` gives it. Nobody has checked it. */
  readFile?(toolCallId: string, name: string, offset: number): Promise<FilePiece | null>
  /** Records how the question ended. Settling again replaces the receipt. */
  settle(toolCallId: string, receipt: Receipt): Promise<SettledRecord>
}

/** An answer file ready to be stored: bound to its tool call. */
export type BoundAnswerFile = AnswerFile & { toolCallId: string; revision: number }

/** A place in a list: what comes after it was asked later, or at the same time under a greater id. */
export interface ListPlace {
  /** ISO 8601. */
  askedAt: string
  toolCallId: string
}

/** The host's end: it lists questions and stores answers. It never writes a question. */
export interface HostChannel {
  /**
   * Every recorded question, open and settled, oldest first. A record that cannot be read is a warning.
   *
   * @param options.unsettled leaves out settled questions, of which there may be very many
   */
  questions(options?: { unsettled?: boolean }): Promise<QuestionRecord[]>
  /**
   * A part of the same list.
   *
   * @param options.limit how many are needed. Files give all
   * @param options.after only what comes after this place
   * @returns with the place after which the list goes on; `null` at its end
   */
  page(options: {
    unsettled: boolean
    limit: number
    after: ListPlace | null
  }): Promise<{ records: QuestionRecord[]; next: ListPlace | null }>
  /**
   * What is known of questions whose records were just listed, in the same order. A question that cannot be read now has
   * its error there: `UNREACHABLE`.
   *
   * @throws AskError `UNREACHABLE` when none can be read.
   */
  states(records: readonly QuestionRecord[]): Promise<(QuestionState | AskError)[]>
  /**
   * All that is known of one question. A file that cannot be read never counts as absent.
   *
   * @param options.ofRun whether to look if the run has ended. Default true
   * @throws AskError `UNREACHABLE` when a part of it cannot be read now.
   */
  read(toolCallId: string, options?: { ofRun?: boolean }): Promise<QuestionState>
  /**
   * What an answer can begin with, or `null`: the state of a question as a store has it at hand. It may be out of date, and
   * nobody has looked whether the run has ended. So what it leads to refuse has to be read first.
   */
  known(toolCallId: string): Promise<QuestionState | null>
  /** The questions that wait and have no record. */
  withoutRecord(): Promise<QuestionState[]>
  /**
   * Stores an answer file, durably, before it returns.
   *
   * @param options.expectedRevision the revision of the answer file read before, 0 for none
   * @param options.expectedRecord the recorded question that is answered, `null` if none is recorded. Default: any
   * @returns the question's record as it was read after the answer file had been stored
   * @throws AskError `CONFLICT` when another answer file came first, or when another question is there by now. A final
   *   answer file is never replaced while its question stands. `UNREACHABLE` when the answer cannot be stored now.
   */
  write(
    answerFile: BoundAnswerFile,
    options: {
      expectedRevision: number
      expectedRecord?: RecordIdentity | null | undefined
    },
  ): Promise<QuestionRecord | undefined>
  /**
   * Returns once the stored answer file survives a power cut, and is where the runner finds it. Its writer may have failed
   * after others could read it, or may not be done.
   *
   * @throws AskError `UNREACHABLE` when the disk fails.
   */
  persist(toolCallId?: string): Promise<void>
  /**
   * Yields the state of every question, or of the one given, then each change, until the signal aborts. No change is
   * missed between the first states and the changes.
   */
  subscribe(signal: AbortSignal, toolCallId?: string): AsyncIterable<QuestionState>
}
