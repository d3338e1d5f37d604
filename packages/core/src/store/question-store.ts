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
}

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

/** A place in a list: what comes after it was asked later, or at the same time under a greater id. */
export interface ListPlace {
  /** ISO 8601. */
  askedAt: string
  toolCallId: string
}

export interface StoreListOptions {
  /** Leaves out settled questions. Default false. */
  unsettled?: boolean | undefined
  /** How many at most. Default: all. */
  limit?: number | undefined
  /** Default: from the first. */
  after?: ListPlace | undefined
}

export interface StoreSubscribeOptions {
  /** Only this question. Default: all. */
  toolCallId?: string | undefined
  /** Leaves out what is there already. Default false. */
  onlyNew?: boolean | undefined
}

/**
 * The questions of one namespace, in a database or another service: two texts for each tool call, and compare-and-set for each
 * text. A namespace is what the folder of a sandbox is for files.
 *
 * When the service fails or cannot be reached, every method throws an AskError `UNREACHABLE`. A write that failed so may
 * still have happened.
 */
export interface QuestionStore {
  /**
   * What is stored for each of the tool calls, in their order; both texts are `null` where nothing is. It sees every write
   * that was acknowledged before it began, also those of other processes.
   */
  read(toolCallIds: readonly string[]): Promise<StoredQuestion[]>
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
   * @returns what is stored afterwards. If its record is not the one of a concurrent `writeRecord`, then that one returns this
   *   answer: at least one of two concurrent writers learns of the other. `null` if another version is there
   */
  writeAnswer(
    toolCallId: string,
    text: string,
    options: { expected: string | null },
  ): Promise<StoredQuestion | null>
  /** The questions that have a record, by the time they were asked, then by tool call id. */
  list(options?: StoreListOptions): Promise<ListedQuestion[]>
  /**
   * Yields what is stored, then what changes, until the signal aborts. The first list says that the subscription holds: from
   * then on no change is missed, also while the connection is lost. A question may come again without a change, and only its
   * latest change may come. An older version never comes after a newer one.
   */
  subscribe(signal: AbortSignal, options?: StoreSubscribeOptions): AsyncIterable<readonly StoredQuestion[]>
}
