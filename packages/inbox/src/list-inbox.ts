import { type HostChannel, isFinal, isSettled, type QuestionState, warningOf } from '@sandagent/core/internal'
import { channelOf, checkLimit, type HostOptions, pagesOf } from '@sandagent/sdk/internal'
import { compareRanks, cursorAt, type InboxQuestion, type InboxRank, rankAt } from './inbox-question.ts'
import { type InboxSandbox, inEach, type PatienceOptions, type UnreachableSandbox } from './inbox-sandbox.ts'

export interface InboxListOptions {
  /** How many questions to list at most. Default: all. */
  limit?: number | undefined
  /** `nextCursor` of the page before. */
  cursor?: string | undefined
}

export interface InboxList {
  questions: InboxQuestion[]
  /** The sandboxes that could not be read. Their questions are missing. */
  unreachable: UnreachableSandbox[]
  /** Where the next page goes on. Absent if nothing follows. */
  nextCursor?: string
}

/** Makes what a caller sees of a question; `null` for a question that the caller may not see. */
type ShowQuestion = (sandbox: InboxSandbox, state: QuestionState) => Promise<InboxQuestion | null>

export interface LookAround extends PatienceOptions {
  host: HostOptions
  show: ShowQuestion
  /** Whether the reader takes a sandbox for unreachable, and does no longer: its first reply is a change then. */
  wasMissed?: (sandboxId: string) => boolean
}

/** A list of one sandbox begins this much before the moment of the cursor. What is too early is left out afterwards. */
const ONE_MOMENT_MS = 1

/** The questions that wait for a person, oldest first. */
export async function listWaiting(
  sandboxes: readonly InboxSandbox[],
  { limit = Number.MAX_SAFE_INTEGER, cursor }: InboxListOptions,
  around: LookAround,
): Promise<InboxList> {
  checkLimit(limit)
  const start = cursor === undefined ? null : rankAt(cursor)
  const looked = {
    limit: limit + 1,
    onWarning: around.host.onWarning,
    cursor: start ? cursorBefore(start[0]) : undefined,
  }
  const listOne = async (sandbox: InboxSandbox): Promise<Ranked[]> => {
    const found: Ranked[] = []
    const channel = channelOf(sandbox.sandbox, around.host)
    for await (const states of pagesOf(channel, looked)) {
      for (const state of states) {
        const rank: InboxRank = [Date.parse(state.record?.askedAt ?? ''), state.toolCallId, sandbox.id]
        if (start && compareRanks(rank, start) <= 0) continue
        const question = await around.show(sandbox, state)
        if (question) found.push({ rank, question })
      }
      if (found.length > limit) break
    }
    return found
  }
  return merged(sandboxes, listOne, { limit, isFirst: (a, b) => compareRanks(a, b) < 0 }, around)
}

const cursorBefore = (time: number): string =>
  Buffer.from(JSON.stringify([time - ONE_MOMENT_MS, ''])).toString('base64url')

/** The questions that are answered or have ended, the latest first. */
export async function listPast(
  sandboxes: readonly InboxSandbox[],
  { limit = Number.MAX_SAFE_INTEGER, cursor }: InboxListOptions,
  around: LookAround,
): Promise<InboxList> {
  checkLimit(limit)
  const start = cursor === undefined ? null : rankAt(cursor)
  const listOne = async (sandbox: InboxSandbox): Promise<Ranked[]> => {
    const found: Ranked[] = []
    const channel = channelOf(sandbox.sandbox, around.host)
    for (let from = start; found.length <= limit; ) {
      const { past, next } = await pastOf(channel, sandbox.id, from, limit + 1, around.host)
      for (const { rank, state } of past) {
        const question = await around.show(sandbox, state)
        if (question) found.push({ rank, question })
      }
      // The caller may not see all of them.
      if (!next) break
      from = next
    }
    return found
  }
  return merged(sandboxes, listOne, { limit, isFirst: (a, b) => compareRanks(a, b) > 0 }, around)
}

/** The latest questions of a channel that are answered or have ended, before `start`, and where the next look begins. */
async function pastOf(
  channel: HostChannel,
  sandboxId: string,
  start: InboxRank | null,
  limit: number,
  { onWarning }: HostOptions,
): Promise<{ past: { rank: InboxRank; state: QuestionState }[]; next: InboxRank | null }> {
  const records = await channel.questions()
  const settled = records
    .flatMap((record) =>
      isSettled(record)
        ? { record, rank: [Date.parse(record.settledAt), record.toolCallId, sandboxId] as const }
        : [],
    )
    .filter(({ rank }) => !start || compareRanks(rank, start) < 0)
    .sort((a, b) => compareRanks(b.rank, a.rank))
    .slice(0, limit)
  const next = settled.length < limit ? null : (settled.at(-1)?.rank ?? null)
  // An answer that the runner has not confirmed is known by its answer file alone.
  const looked = [...settled.map(({ record }) => record), ...records.filter((record) => !isSettled(record))]
  const states = await channel.states(looked)
  const past = states
    .flatMap((state) => {
      if (!('toolCallId' in state)) {
        onWarning?.(warningOf(state))
        return []
      }
      const endedAt = endOf(state)
      return endedAt === null ? [] : { state, rank: [endedAt, state.toolCallId, sandboxId] as const }
    })
    .filter(({ rank }) => !start || compareRanks(rank, start) < 0)
    // What is older comes with the next look.
    .filter(({ rank }) => !next || compareRanks(rank, next) >= 0)
    .sort((a, b) => compareRanks(b.rank, a.rank))
  return { past, next }
}

/** When a question was answered or ended, in milliseconds since 1970; `null` while it waits. */
function endOf({ record, answerFile }: QuestionState): number | null {
  if (record && isSettled(record)) return Date.parse(record.settledAt)
  return answerFile && isFinal(answerFile) ? Date.parse(answerFile.timestamp) : null
}

interface Ranked {
  rank: InboxRank
  question: InboxQuestion
}

async function merged(
  sandboxes: readonly InboxSandbox[],
  listOne: (sandbox: InboxSandbox) => Promise<Ranked[]>,
  { limit, isFirst }: { limit: number; isFirst: (a: InboxRank, b: InboxRank) => boolean },
  around: PatienceOptions,
): Promise<InboxList> {
  const { results, unreachable } = await inEach(sandboxes, listOne, around)
  const all = results.flat().sort((a, b) => (isFirst(a.rank, b.rank) ? -1 : 1))
  const page = all.slice(0, limit)
  const last = page.at(-1)
  return {
    questions: page.map(({ question }) => question),
    unreachable: unreachable.sort((a, b) => (a.sandboxId < b.sandboxId ? -1 : 1)),
    ...(all.length > limit && last && { nextCursor: cursorAt(last.rank) }),
  }
}
