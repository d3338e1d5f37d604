import type { ChannelWarning, Clock, QuestionState } from '@sandagent/core'
import { createAlarm } from './alarm.ts'
import { distinctWarnings, type OnWarning, warningOf } from './channel-warning.ts'
import { createPace } from './poll.ts'
import { stoppable } from './stoppable.ts'

/** Where states come from, by the name of the files that hold them. */
export interface StateSource {
  /** The names of all that there are. */
  fileNames(): Promise<string[]>
  /** What one is about, `null` for nothing. */
  read(fileName: string, onWarning: OnWarning): Promise<QuestionState | null>
  /** Reports changes by name, or `null` for any; may miss some. The returned function stops it. */
  watch(report: (fileName: string | null) => void): () => void
}

/**
 * Every state now, then each that changes. It looks at all files every now and then, and in between at those that
 * the source reports.
 */
export function stateChanges(
  source: StateSource,
  { onWarning, clock }: { onWarning: OnWarning; clock: Clock },
  signal: AbortSignal,
): AsyncIterable<QuestionState> {
  return stoppable(signal, async function* (stopped) {
    const alarm = createAlarm(stopped)
    const due = createDueList(alarm.ring)
    const look = createLook(source, onWarning)
    const delayAfter = createPace()
    let cancelTimer = (): void => {}
    const stopWatching = source.watch(due.add)
    const release = (): void => {
      cancelTimer()
      stopWatching()
    }
    stopped.addEventListener('abort', release)
    try {
      while (!stopped.aborted) {
        const startedAt = clock.now()
        const fileNames = due.take()
        const changed = await look(fileNames)
        if (stopped.aborted) return
        if (fileNames === null) {
          cancelTimer()
          const delayMs = delayAfter(changed.length > 0, clock.now() - startedAt)
          cancelTimer = clock.after(delayMs, () => due.add(null))
        }
        yield* changed
        await alarm.sleep()
      }
    } finally {
      release()
    }
  })
}

/** Collects what to look at next: names, or `null` for everything, which it begins with. */
function createDueList(onAdded: () => void): { add(name: string | null): void; take(): string[] | null } {
  const names = new Set<string>()
  let all = true
  return {
    add(name) {
      if (name === null) all = true
      else names.add(name)
      onAdded()
    },
    take() {
      const taken = all ? null : [...names]
      all = false
      names.clear()
      return taken
    },
  }
}

/** Reads states, and passes on those that differ from the last time. */
function createLook(
  source: StateSource,
  onWarning: OnWarning,
): (fileNames: string[] | null) => Promise<QuestionState[]> {
  const seen = new Map<string, string>()
  const warn = distinctWarnings(onWarning)

  const allNames = async (): Promise<string[]> => {
    try {
      const names = await source.fileNames()
      warn('', [])
      return names
    } catch (error) {
      warn('', [warningOf(error)])
      return []
    }
  }

  /** One file that the system keeps from being read must not end the look at all others. */
  const readOne = async (fileName: string, warnOne: OnWarning): Promise<QuestionState | null | 'unknown'> => {
    try {
      return await source.read(fileName, warnOne)
    } catch (error) {
      warnOne(warningOf(error))
      return 'unknown'
    }
  }

  return async (fileNames) => {
    const changed: QuestionState[] = []
    for (const fileName of fileNames ?? (await allNames())) {
      const warnings: ChannelWarning[] = []
      const state = await readOne(fileName, (warning) => warnings.push(warning))
      warn(fileName, warnings)
      if (state === 'unknown') continue
      const content = JSON.stringify(state)
      if (content === seen.get(fileName)) continue
      seen.set(fileName, content)
      if (state) changed.push(state)
    }
    return changed
  }
}
