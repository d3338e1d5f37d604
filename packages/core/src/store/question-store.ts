// Why it is so: docs/decisions/0068-a-store-keeps-two-texts.md

import type { FilePiece, FileRoom } from '../answer/files/stored-file.ts'
import type { ListPlace } from '../channel.ts'
import type { AskError } from '../lib/errors.ts'
import type { OnWarning } from '../lib/warnings/warning-codes.ts'
import type { AnswerFile } from '../record/answer-file/answer-file.ts'
import type { QuestionRecord } from '../record/question-record.ts'
import type { AnswerWatcher } from './subscribed-answers.ts'

/** A text in a store, and its version. */
export interface StoredText {
  text: string
  /** Each write of this text gets another one. Only the store knows what it means. */
  version: string
}

/** All that a store has of one tool call. */
export interface StoredQuestion {
  toolCallId: string
  /** The question's record: JSON of a `QuestionRecord`. Only runners write it. */
  record: StoredText | null
  /** The answer file: JSON of an `AnswerFile`. Only hosts write it. */
  answer: StoredText | null
  /** The record as it was parsed, if the store did that. */
  parsed?: QuestionRecord
  /** What `accept` returned for the answer, if the store called it. */
  accepted?: AnswerFile | null
  /** A record or an answer may be there that was not read: it could not be, or nobody looked. */
  isUnread?: true
  /** This question alone cannot be read now: `UNREACHABLE`. Nothing else is known of it. */
  error?: AskError
  /** See `QuestionState`. A store that knows neither leaves them out. */
  unpublished?: true
  runEnded?: true
  /** The ids of the keys of the run that asks, if the store knows them. */
  keyIds?: readonly string[]
}

/** Where several answers may be there: a forged one must not hide the genuine one. Stores with one answer need none of this. */
export interface Candidates {
  /** The record in force, if the caller knows it. The store need not read it then. */
  recordOf?: (toolCallId: string) => QuestionRecord | undefined
  /** Returns the answer that counts, or `null`. After `null` the store looks for another one. */
  accept?: (answerFile: AnswerFile, record: QuestionRecord | null) => Promise<AnswerFile | null>
  /** The host's public keys, for a store that tells elsewhere which answers count: a JSON Web Key Set, or `null` for none. */
  publicKeys?: PublicKeys
  /** Called for what cannot be read. */
  onWarning?: OnWarning
}

export type PublicKeys = () => Promise<{ readonly keys: readonly object[] } | null>

/** A question in a list. With its time and its id, the list can be continued behind it. */
export interface ListedQuestion extends StoredQuestion {
  /** When it was asked, as the list is sorted: from the facts of the last write. ISO 8601. */
  askedAt: string
}

/** What a store needs of a record to list it. */
export interface RecordFacts {
  runId: string
  /** ISO 8601. */
  askedAt: string
  isSettled: boolean
}

export interface StoreListOptions {
  /** Leaves out settled questions. Default false. */
  unsettled?: boolean | undefined
  /** How many are needed. A store that reads all of them anyway may give more. Default: all. */
  limit?: number | undefined
  /** Default: from the first. */
  after?: ListPlace | undefined
}

export interface StoreSubscribeOptions extends Candidates {
  /** Only this question. Default: all. */
  toolCallId?: string | undefined
  /** For a runner: leaves out what is there already. Changes of records alone need not come. Default false. */
  onlyAnswers?: boolean | undefined
}

/**
 * The questions of one namespace, such as the folder of a sandbox or a part of a database: two texts for each tool call, and
 * compare-and-set for each text. Both halves of it may be objects of their own.
 *
 * When the carrier fails or cannot be reached, every method throws an AskError `UNREACHABLE`. A write that failed so may
 * still have happened.
 */
export interface QuestionStore {
  /**
   * What is stored for each of the tool calls, in their order; both texts are `null` where nothing is. It sees every write
   * that was acknowledged before it began, also those of other processes.
   */
  read(toolCallIds: readonly string[], candidates?: Candidates): Promise<StoredQuestion[]>
  /** Whether a lost subscription ends those of its users, who then know. Default: it begins again, and nobody is told. */
  readonly tellsOfLoss?: boolean
  /**
   * What a host can begin an answer with, such as what a subscription has, or `null`. It may be out of date. Default: `null`
   */
  latest?(toolCallId: string): Promise<StoredQuestion | null>
  /**
   * Stores a record, durably, if the version there is still the expected one; `null` stands for no record.
   *
   * @returns what is stored afterwards, with every answer whose write was acknowledged before this write; `null` if another
   *   version is there
   */
  writeRecord(
    toolCallId: string,
    text: string,
    options: { expected: string | null; facts: RecordFacts },
  ): Promise<StoredQuestion | null>
  /**
   * Stores an answer file, durably, if the version there is still the expected one; `null` stands for no answer file.
   *
   * @param options.asked the question that is answered, as it was read; `null` if none is recorded. A store whose records may
   *   change between the two writes nothing if another one is there
   * @returns what is stored afterwards. If its record is not the one of a concurrent `writeRecord`, then that one returns this
   *   answer: at least one of two concurrent writers learns of the other. `null` if another version is there
   */
  writeAnswer(toolCallId: string, text: string, options: AnswerOptions): Promise<StoredQuestion | null>
  /**
   * Returns once the stored answer survives a power cut: its writer may have failed after others could read it. Absent: what
   * can be read is durable.
   */
  persist?(toolCallId?: string): Promise<void>
  /** The questions that wait and have no record. Absent: there are none. */
  withoutRecord?(candidates: Candidates): Promise<readonly StoredQuestion[]>
  /** The questions that have a record, by the time they were asked, then by tool call id. */
  list(options?: StoreListOptions & Pick<Candidates, 'onWarning' | 'publicKeys'>): Promise<ListedQuestion[]>
  /**
   * Yields what is stored, then what changes, until the signal aborts. The first list says that the subscription holds: from
   * then on no change is missed, also while the connection is lost. A question may come again without a change, and only its
   * latest change may come. An older version never comes after a newer one.
   */
  subscribe(signal: AbortSignal, options?: StoreSubscribeOptions): AsyncIterable<readonly StoredQuestion[]>
  /**
   * Stores the bytes of a file that a person gives for a question, durably, and as a whole or not at all. The same file again
   * is still one. Only hosts write files. They go when their question is swept, or no answer names them any more. Absent: the
   * store takes none.
   *
   * @param pieces the bytes in their order: 256 KiB each, and the last one what is left
   * @param nameOf the name of the file, see `attachmentFileName`. It is called after the last piece. Nothing is stored if it
   *   throws
   * @param room what the namespace takes in all. Who writes at the same time as others counts their bytes before its file is
   *   there
   * @throws AskError `TOO_LARGE` when there is no room for more files; what `pieces` and `nameOf` throw
   */
  writeFile?(
    toolCallId: string,
    pieces: AsyncIterable<Uint8Array>,
    nameOf: () => string,
    room: FileRoom,
  ): Promise<void>
  /**
   * A piece of a file from `offset` on, as long as suits the store; `null` where no file of this name was stored for the
   * question. Only whole files can be read. Absent: the store takes none.
   */
  readFile?(toolCallId: string, name: string, offset: number): Promise<FilePiece | null>
}

export interface AnswerOptions extends Candidates {
  expected: string | null
  /** What the text says, where the caller knows. */
  answerFile?: AnswerFile | undefined
  asked?: { record: QuestionRecord; version: string } | null
}

/** What a host needs of a store. It never writes records. */
export type HostQuestions = Omit<QuestionStore, 'writeRecord'>

/** What a runner needs of a store. It never writes answers, and no files. */
export type RunnerQuestions = Pick<QuestionStore, 'read' | 'writeRecord' | 'subscribe' | 'readFile'>

/** What a host needs of a store that takes files. */
export type StoredFiles = Required<Pick<QuestionStore, 'writeFile' | 'readFile'>>

/** The same, for a store that tells of each waiting question alone: thousands may wait, and each costs as little as it can. */
export interface WatchedQuestions extends Pick<QuestionStore, 'read' | 'writeRecord'> {
  /** What is stored now, or was when it last changed. `null` once nobody watches any more. Default: `read`. */
  latest?(toolCallId: string, candidates?: Candidates): Promise<StoredQuestion | null>
  /** Looks after a question that waits, and reports changes of its answer. The returned function stops it. */
  watch(watcher: AnswerWatcher, recordOf: NonNullable<Candidates['recordOf']>): () => void
  /** What new records say of the process that asks, and of the place of its questions. */
  asker?(): Promise<Pick<QuestionRecord, 'process' | 'place'>>
}
