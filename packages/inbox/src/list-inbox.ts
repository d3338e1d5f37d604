import {
  type HostChannel,
  isFinal,
  isSettled,
  type QuestionState,
  searchedText,
  searchWords,
  warningOf,
} from '@sandagent/core/internal'
import { channelOf, checkLimit, type HostOptions, pagesOf } from '@sandagent/sdk/internal'
import type { InboxGrants } from './inbox-grants.ts'
import { compareRanks, cursorAt, type InboxQuestion, type InboxRank, rankAt } from './inbox-question.ts'
import { type InboxSandbox, inEach, type PatienceOptions, type UnreachableSandbox } from './inbox-sandbox.ts'

export interface InboxListOptions {
  /** How many questions to list at most. Default: all. */
  limit?: number | undefined
  /** `nextCursor` of the page before. */
  cursor?: string | undefined
  /** Words that are all somewhere in a question: in what is asked, by whom, where, or in what was answered. Default: none. */
  search?: string | undefined
}

export interface InboxList {
  questions: InboxQuestion[]
  /** The sandboxes that could not be read. Their questions are missing. */
  unreachable: UnreachableSandbox[]
  /** Where the next page goes on. Absent if nothing follows. */
  nextCursor?: string
}

export interface LookAround<Shown extends InboxQuestion | null = InboxQuestion | null>
  extends PatienceOptions {
  host: HostOptions
  /** Makes what a caller sees of a question; `null` for a question that the caller may not see. */
  show(sandbox: InboxSandbox, state: QuestionState): Promise<Shown>
  grants?: InboxGrants | undefined
  /** Whether the reader takes a sandbox for unreachable, and does no longer: its first reply is a change then. */
  wasMissed?: (sandboxId: string) => boolean
  /**
   * Whether the reader takes a question for one that waits: what has become of it is a change then, although it was never seen
   * to wait.
   */
  wasListed?: (question: { sandboxId: string; toolCallId: string }) => Promise<boolean>
}

export type ListQuestions = (
  sandboxes: readonly InboxSandbox[],
  options: InboxListOptions,
  around: LookAround,
) => Promise<InboxList>

/** The questions that wait for a person, oldest first. */
export const listWaiting: ListQuestions = (...look) => listBy(waitingIn, 1, ...look)

/** The questions that are answered or have ended, the latest first. */
export const listPast: ListQuestions = (...look) => listBy(pastIn, -1, ...look)

interface Look extends Pick<HostOptions, 'onWarning'> {
  sandboxId: string
  /** The question that the list begins after. */
  start: InboxRank | null
  /** How many questions are needed, if the caller may see all of them. */
  limit: number
}

interface Ranked {
  rank: InboxRank
  state: QuestionState
}

/** Yields the questions of a sandbox part by part. Those of a part stand before all of the next part. */
type PartsOf = (channel: HostChannel, look: Look) => AsyncGenerator<Ranked[], void, void>

async function listBy(
  partsOf: PartsOf,
  order: 1 | -1,
  ...[sandboxes, { limit = Number.MAX_SAFE_INTEGER, cursor, search = '' }, around]: Parameters<ListQuestions>
): Promise<InboxList> {
  checkLimit(limit)
  const start = cursor === undefined ? null : rankAt(cursor)
  const words = searchWords(search)
  const { host, show } = around
  const listOne = async (sandbox: InboxSandbox): Promise<{ rank: InboxRank; question: InboxQuestion }[]> => {
    const found: { rank: InboxRank; question: InboxQuestion }[] = []
    const look = { sandboxId: sandbox.id, start, limit: limit + 1, onWarning: host.onWarning }
    for await (const part of partsOf(channelOf(sandbox.sandbox, host), look)) {
      for (const { rank, state } of part) {
        if (start && order * compareRanks(rank, start) <= 0) continue
        const question = await show(sandbox, state)
        if (!question) continue
        const text =
          words.length > 0 ? searchedText(question.question, question.sandboxName, question.runId) : ''
        if (words.every((word) => text.includes(word))) found.push({ rank, question })
      }
      if (found.length > limit) break
    }
    return found
  }
  const { results, unreachable } = await inEach(sandboxes, listOne, around)
  const all = results.flat().sort((a, b) => order * compareRanks(a.rank, b.rank))
  const page = all.slice(0, limit)
  const last = page.at(-1)
  return {
    questions: page.map(({ question }) => question),
    unreachable: unreachable.sort((a, b) => (a.sandboxId < b.sandboxId ? -1 : 1)),
    ...(all.length > limit && last && { nextCursor: cursorAt(last.rank) }),
  }
}

/** A list of one sandbox begins this much before the moment of the cursor. What is too early is left out afterwards. */
const ONE_MOMENT_MS = 1

const waitingIn: PartsOf = async function* (channel, { sandboxId, start, ...look }) {
  const place = start && JSON.stringify([start[0] - ONE_MOMENT_MS, ''])
  const cursor = place === null ? undefined : Buffer.from(place).toString('base64url')
  for await (const states of pagesOf(channel, { ...look, cursor }))
    yield states.map((state) => ({ state, rank: rankOf(state.record?.askedAt ?? '', state, sandboxId) }))
}

const pastIn: PartsOf = async function* (channel, { sandboxId, start, limit, onWarning }) {
  const records = await channel.questions()
  const settled = records
    .filter(isSettled)
    .map((record) => ({ record, rank: rankOf(record.settledAt, record, sandboxId) }))
    .filter(({ rank }) => !start || compareRanks(rank, start) < 0)
    .sort((a, b) => compareRanks(b.rank, a.rank))
  // An answer that the runner has not confirmed is known by its answer file alone.
  let unsettled = records.filter((record) => !isSettled(record))
  let found: Ranked[] = []
  do {
    const some = settled.splice(0, limit)
    for (const state of await channel.states([...some.map(({ record }) => record), ...unsettled])) {
      if (!('toolCallId' in state)) onWarning?.(warningOf(state))
      else {
        const endedAt = endOf(state)
        if (endedAt !== null) found.push({ state, rank: rankOf(endedAt, state, sandboxId) })
      }
    }
    unsettled = []
    const last = settled.length > 0 ? some.at(-1)?.rank : undefined
    const isOfPart = ({ rank }: Ranked): boolean => !last || compareRanks(rank, last) >= 0
    yield found.filter(isOfPart)
    found = found.filter((each) => !isOfPart(each))
  } while (settled.length > 0)
}

const rankOf = (time: string, { toolCallId }: { toolCallId: string }, sandboxId: string): InboxRank => [
  Date.parse(time),
  toolCallId,
  sandboxId,
]

/** When a question was answered or ended; `null` while it waits. */
function endOf({ record, answerFile }: QuestionState): string | null {
  if (record && isSettled(record)) return record.settledAt
  return answerFile && isFinal(answerFile) ? answerFile.timestamp : null
}
