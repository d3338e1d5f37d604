import { type Clock, sleep } from '../lib/clock.ts'
import { AskError } from '../lib/errors.ts'
import { stoppable } from '../lib/streams/stoppable.ts'
import { createWakeSignal } from '../lib/streams/wake-signal.ts'
import { isSettled, type QuestionRecord } from '../record/question-record.ts'
import type { QuestionState } from '../record/question-state.ts'
import type { Candidates, QuestionStore, StoredQuestion } from './question-store.ts'

/** How often the runs of open questions are looked at, at most. */
const RUNS_EVERY_MS = 500

/** A look at the runs takes at most this part of the time. */
const SHARE = 1 / 50

/** The pause before a subscription that failed begins again. */
const AGAIN_MS = 500

/** Of how many settled questions the versions are remembered: not every store tells when it has removed one. */
const MOST_SETTLED = 10_000

export interface FollowOptions extends Candidates {
  toolCallId: string | undefined
  stateOf(stored: StoredQuestion): Promise<QuestionState>
  /** Whether an answer was found that does not count. */
  ignores(stored: StoredQuestion): boolean
  /** Whether a run has ended. The store reports no change then. Absent: the store knows. */
  hasRunEnded: ((record: QuestionRecord) => Promise<boolean>) | undefined
  clock: Clock
}

/** A run with open questions. */
interface FollowedRun {
  /** One of its questions. */
  record: QuestionRecord
  hasEnded: boolean
}

/** What was yielded of a question. Its versions tell whether it has changed, without its texts: there may be very many. */
interface Seen {
  versions: string
  /** Of an open question. */
  run: FollowedRun | null
}

/** Yields the state of each question, then each change. A subscription of the store that fails begins again. */
export function followStates(
  store: Pick<QuestionStore, 'read' | 'subscribe' | 'tellsOfLoss'>,
  signal: AbortSignal,
  { toolCallId, stateOf, ignores, hasRunEnded, clock, ...candidates }: FollowOptions,
): AsyncIterable<QuestionState> {
  return stoppable(signal, async function* (stopped) {
    const wake = createWakeSignal(stopped)
    /** What may have changed. `null`: it is to be read. */
    const due = new Map<string, StoredQuestion | null>()
    const seen = new Map<string, Seen>()
    /** The settled ones among them, the last change at the end. */
    const settled = new Set<string>()
    const runs = new Map<string, FollowedRun>()
    const failed = new Set<string>()
    let loss: { error: unknown } | null = null

    const receive = async (): Promise<void> => {
      while (!stopped.aborted) {
        try {
          for await (const changed of store.subscribe(stopped, { toolCallId, ...candidates })) {
            for (const stored of changed) due.set(stored.toolCallId, stored)
            wake.ring()
          }
        } catch (error) {
          // The store is out of reach. The next subscription begins with everything.
          if (store.tellsOfLoss) {
            loss = { error }
            wake.ring()
            return
          }
        }
        await sleep(clock, AGAIN_MS, stopped)
      }
    }

    const lookAtRuns = async (has: (record: QuestionRecord) => Promise<boolean>): Promise<void> => {
      for (let tookMs = 0; !stopped.aborted; ) {
        await sleep(clock, Math.max(RUNS_EVERY_MS, tookMs / SHARE), stopped)
        const startedAt = clock.now()
        const open = new Set([...seen.values()].map(({ run }) => run))
        for (const [key, run] of runs) if (!open.has(run)) runs.delete(key)
        const changed = new Set<FollowedRun | null>()
        for (const run of runs.values())
          if ((await has(run.record).catch(orNullIfRefused)) === !run.hasEnded) changed.add(run)
        for (const [id, { run }] of seen) if (changed.has(run) && !due.has(id)) due.set(id, null)
        if (changed.size > 0) wake.ring()
        tookMs = clock.now() - startedAt
      }
    }

    /**
     * What else belongs to a state cannot be read now. One pause counts for all: each pause of its own would go on for ever.
     */
    const again = async (id: string): Promise<void> => {
      const isFirst = failed.size === 0
      failed.add(id)
      if (!isFirst) return
      await sleep(clock, AGAIN_MS, stopped)
      for (const each of failed) if (!due.has(each)) due.set(each, null)
      failed.clear()
      wake.ring()
    }

    const readDue = async (id: string): Promise<StoredQuestion | null> => {
      const [stored] = (await store.read([id], candidates).catch(orNullIfRefused)) ?? []
      return stored?.error ? null : (stored ?? null)
    }

    const runOf = ({ record, runEnded }: QuestionState): FollowedRun | null => {
      if (!record || isSettled(record) || record.left || !hasRunEnded) return null
      const key = runKeyOf(record)
      const run = runs.get(key) ?? { record, hasEnded: false }
      run.hasEnded = runEnded === true
      runs.set(key, run)
      return run
    }

    const note = (state: QuestionState, versions: string): void => {
      const { toolCallId: id, record } = state
      seen.set(id, { versions, run: runOf(state) })
      settled.delete(id)
      if (record && isSettled(record)) settled.add(id)
      const [oldest = ''] = settled
      if (settled.size <= MOST_SETTLED) return
      settled.delete(oldest)
      seen.delete(oldest)
    }

    void receive()
    if (hasRunEnded) void lookAtRuns(hasRunEnded)

    while (!stopped.aborted) {
      const changed = [...due]
      due.clear()
      for (const [id, given] of changed) {
        const stored = given ?? (await readDue(id))
        const versions = stored && `${versionsOf(stored)}${ignores(stored)}`
        if (given && seen.get(id)?.versions === versions) continue
        const state = stored && (await stateOf(stored).catch(orNullIfRefused))
        if (stopped.aborted) return
        if (!state || !versions) {
          void again(id)
          continue
        }
        if (!state.record && !state.answerFile) {
          seen.delete(id)
          settled.delete(id)
          continue
        }
        note(state, versions)
        yield state
      }
      if (loss) throw (loss as { error: unknown }).error
      if (due.size === 0) await wake.sleep()
    }
  })
}

const versionsOf = ({ record, answer, unpublished, runEnded }: StoredQuestion): string =>
  JSON.stringify([record?.version, answer?.version, unpublished, runEnded])

/** For `catch`: what cannot be read now is tried again. Any other error is a bug. */
function orNullIfRefused(error: unknown): null {
  if (error instanceof AskError) return null
  throw error
}

/** Names the run and the process that ask: all their questions end together. */
const runKeyOf = ({ runId, process, place }: QuestionRecord): string =>
  JSON.stringify([runId, process, place])

/** Looks only once at each run and process: the questions of one list are mostly of few runs. */
export function oncePerRun(
  hasRunEnded: (record: QuestionRecord) => Promise<boolean>,
): (record: QuestionRecord) => Promise<boolean> {
  const found = new Map<string, Promise<boolean>>()
  return (record) => {
    const run = runKeyOf(record)
    const hasEnded = found.get(run) ?? hasRunEnded(record)
    found.set(run, hasEnded)
    return hasEnded
  }
}
