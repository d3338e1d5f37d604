import {
  AskError,
  checkOptions,
  type HostChannel,
  holdProcess,
  isFinal,
  type OptionNames,
  type QuestionRecord,
  type QuestionState,
  type QuestionView,
  systemClock,
  viewOf,
} from '@sandagent/core/internal'
import type { ListPlace } from '@sandagent/core/store'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { type CursorPlace, checkLimit, cursorPlaceOf, isAfter, parseCursor } from './list-cursor.ts'
import { channelOf, HOST_OPTIONS, type HostOptions } from './sandbox-channel.ts'
import { logWarning } from './warnings.ts'

export interface LookOptions extends HostOptions {
  /** Also shows questions that are answered or have ended. Default false: only those that wait for a person. */
  all?: boolean | undefined
  /** Also lists the questions of older SandAgent runners, which record nothing. Default false. */
  olderRunners?: boolean | undefined
}

const NAMES: OptionNames<LookOptions> = {
  ...HOST_OPTIONS,
  all: true,
  olderRunners: true,
}

export interface ListOptions extends LookOptions {
  /** How many questions to list at most. Default: all. */
  limit?: number | undefined
  /** Lists only what comes after the question of this cursor, see `cursorOf`. Default: from the first. */
  cursor?: string | undefined
}

/**
 * Lists the questions of a sandbox, oldest first, and by `toolCallId` among those of the same moment. To list page by page,
 * pass `limit`, and the cursor of the last question of a page for the next page. A question that settles between two pages
 * hides no other one, and one that is asked meanwhile comes on the last page.
 *
 * @throws AskError `INVALID_REQUEST` for a wrong `limit` or `cursor`.
 */
export async function listQuestions(
  sandbox: AnswerableSandbox,
  given: ListOptions = {},
): Promise<QuestionView[]> {
  checkOptions('listQuestions: its options', given, { ...NAMES, limit: true, cursor: true })
  const {
    clock = systemClock,
    onWarning = logWarning,
    signingKeys,
    passkeys,
    olderRunners,
    ...looked
  } = given
  const limit = checkLimit(given.limit ?? Number.MAX_SAFE_INTEGER)
  const channel = channelOf(sandbox, { onWarning, signingKeys, passkeys, clock })
  const views: QuestionView[] = []
  for await (const states of pagesOf(channel, {
    ...looked,
    needsRecord: !olderRunners,
    onWarning,
    limit,
  })) {
    views.push(...states.slice(0, limit - views.length).map((state) => viewOf(state, clock.now())))
    if (views.length >= limit) break
  }
  return views
}

/**
 * Yields every question, and again after each change. Without `all`, one that no longer waits is shown a last time. The
 * process goes on as long as the next question is awaited.
 *
 * @param given.signal ends it
 * @param given.cursor shows only questions that come after this one in lists, see `listQuestions`
 */
export async function* watchQuestions(
  sandbox: AnswerableSandbox,
  given: Omit<ListOptions, 'limit'> & { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<QuestionView, void, void> {
  checkOptions('watchQuestions: its options', given, { ...NAMES, cursor: true, signal: 'signal' })
  const { clock = systemClock, onWarning = logWarning, signingKeys, passkeys, olderRunners, all } = given
  const { signal = new AbortController().signal } = given
  const channel = channelOf(sandbox, { onWarning, signingKeys, passkeys, clock })
  const start = given.cursor === undefined ? null : parseCursor(given.cursor)
  const waiting = new Set<string>()
  for await (const state of whileAwaited(channel.subscribe(signal))) {
    if (start !== null && !isAfter(cursorPlaceOf(state), start)) continue
    const hasWaited = waiting.delete(state.toolCallId)
    const waits = isWaiting(state, { needsRecord: !olderRunners })
    if (waits) waiting.add(state.toolCallId)
    if (all || waits || hasWaited) yield viewOf(state, clock.now())
  }
}

/** The same values. Holds the process while the next one is awaited. */
async function* whileAwaited<T>(values: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  const iterator = values[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await iterator.next().finally(holdProcess())
      if (done) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Whether a question waits for a person. Only the runner's clock ends a question, so an overdue one may still wait. */
export const isWaiting = (
  { record, answerFile }: QuestionState,
  { needsRecord = true }: Pick<PageOptions, 'needsRecord'> = {},
): boolean =>
  record
    ? record.state === 'open' && !(answerFile && isFinal(answerFile))
    : !needsRecord && answerFile?.status === 'pending'

/** The questions that wait for a person, or all, as {@link pagesOf} has them. */
export async function questionsOf(channel: HostChannel, options: PageOptions = {}): Promise<QuestionState[]> {
  const states: QuestionState[] = []
  for await (const page of pagesOf(channel, options)) states.push(...page)
  return states
}

interface PageOptions extends Pick<ListOptions, 'all' | 'onWarning' | 'limit' | 'cursor'> {
  /** Leaves out questions without a record. Default true. */
  needsRecord?: boolean | undefined
}

/** How many questions are looked at before they are passed on. */
const PAGE = 500

/**
 * Yields the questions that wait for a person, or all, page by page and in the order of lists.
 *
 * @param options.onWarning called for questions that cannot be read, which are left out
 * @param options.limit how many questions the caller needs, so that the first page is no longer than that. More may come
 * @throws AskError `UNREACHABLE` for such a question, without `onWarning`
 */
export async function* pagesOf(
  channel: HostChannel,
  { onWarning, needsRecord = true, all = false, limit = PAGE, cursor }: PageOptions,
): AsyncGenerator<QuestionState[], void, void> {
  const start = cursor === undefined ? null : parseCursor(cursor)
  const isListed = (question: Pick<QuestionState, 'record' | 'toolCallId'>): boolean =>
    start === null || isAfter(cursorPlaceOf(question), start)
  const readable = (toolCallId: string, state: QuestionState | AskError): QuestionState[] => {
    if (!(state instanceof AskError)) return [state]
    if (!onWarning) throw state
    onWarning({ code: state.code, message: state.message, toolCallId })
    return []
  }

  const size = Math.min(limit, PAGE)
  for await (const records of recordPages(channel, { unsettled: !all, start, size })) {
    const some = records.filter(
      (record) => (all || record.state === 'open') && isListed({ record, toolCallId: record.toolCallId }),
    )
    if (some.length === 0) continue
    const found = await channel.states(some)
    const states = some.flatMap(({ toolCallId }, index) =>
      readable(toolCallId, found[index] as QuestionState),
    )
    yield states.filter((state) => all || isWaiting(state))
  }
  if (!needsRecord) yield (await channel.withoutRecord()).filter(isListed)
}

/** Files give all records at once. */
async function* recordPages(
  channel: HostChannel,
  { unsettled, start, size }: { unsettled: boolean; start: CursorPlace | null; size: number },
): AsyncGenerator<QuestionRecord[], void, void> {
  if (start && start.askedAt === undefined) return
  let after: ListPlace | null = start
  do {
    const page = await channel.page({ unsettled, limit: size, after })
    for (let from = 0; from < page.records.length; from += size) yield page.records.slice(from, from + size)
    after = page.next
  } while (after)
}
