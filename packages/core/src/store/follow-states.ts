import { type Clock, sleep } from '../lib/clock.ts'
import { AskError } from '../lib/errors.ts'
import { stoppable } from '../lib/streams/stoppable.ts'
import { createWakeSignal } from '../lib/streams/wake-signal.ts'
import { isSettled } from '../record/question-record.ts'
import type { QuestionState } from '../record/question-state.ts'
import type { QuestionStore, StoredQuestion } from './question-store.ts'

/** How often the runs of open questions are looked at. */
const RUNS_EVERY_MS = 5000

/** The pause before a subscription that failed begins again. */
const AGAIN_MS = 500

export interface FollowOptions {
  toolCallId: string | undefined
  stateOf(stored: StoredQuestion): Promise<QuestionState>
  clock: Clock
  /** Whether `stateOf` tells of runs that have ended. The store reports no change then. */
  looksAtRuns: boolean
}

/** Yields the state of each question, then each change. A subscription of the store that fails begins again. */
export function followStates(
  store: Pick<QuestionStore, 'subscribe'>,
  signal: AbortSignal,
  { toolCallId, stateOf, clock, looksAtRuns }: FollowOptions,
): AsyncIterable<QuestionState> {
  return stoppable(signal, async function* (stopped) {
    const wake = createWakeSignal(stopped)
    /** What changed and was not read yet, by tool call. */
    const due = new Map<string, StoredQuestion>()
    /** The questions that are not settled, with the versions and the run's end that were yielded. */
    const seen = new Map<string, { stored: StoredQuestion; content: string }>()
    let areRunsDue = false

    const receive = async (): Promise<void> => {
      while (!stopped.aborted) {
        try {
          for await (const changed of store.subscribe(stopped, { toolCallId })) {
            for (const stored of changed) due.set(stored.toolCallId, stored)
            wake.ring()
          }
        } catch {
          // The store is out of reach. The next subscription begins with everything.
        }
        await sleep(clock, AGAIN_MS, stopped)
      }
    }
    const lookAtRuns = async (): Promise<void> => {
      while (looksAtRuns && !stopped.aborted) {
        await sleep(clock, RUNS_EVERY_MS, stopped)
        areRunsDue = true
        wake.ring()
      }
    }
    /** What else belongs to a state cannot be read now. */
    const again = async (stored: StoredQuestion): Promise<void> => {
      await sleep(clock, AGAIN_MS, stopped)
      if (!due.has(stored.toolCallId)) due.set(stored.toolCallId, stored)
      wake.ring()
    }
    void receive()
    void lookAtRuns()

    while (!stopped.aborted) {
      const looked = areRunsDue ? [...seen.values()].map(({ stored }) => stored) : []
      const changed = [...looked.filter(({ toolCallId: id }) => !due.has(id)), ...due.values()]
      due.clear()
      areRunsDue = false
      for (const stored of changed) {
        const state = await stateOf(stored).catch(orNullIfRefused)
        if (stopped.aborted) return
        if (!state) {
          void again(stored)
          continue
        }
        const content = JSON.stringify([stored.record?.version, stored.answer?.version, state.runEnded])
        if (seen.get(stored.toolCallId)?.content === content) continue
        // Settled questions change rarely, and there may be very many.
        if (state.record && isSettled(state.record)) seen.delete(stored.toolCallId)
        else seen.set(stored.toolCallId, { stored, content })
        yield state
      }
      if (due.size === 0) await wake.sleep()
    }
  })
}

/** For `catch`: what cannot be read now is tried again. Any other error is a bug. */
function orNullIfRefused(error: unknown): null {
  if (error instanceof AskError) return null
  throw error
}
