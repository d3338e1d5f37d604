import type { OnWarning } from '@sandagent/core'
import {
  type ChannelWarning,
  type Clock,
  createWakeSignal,
  distinctWarnings,
  isFileFault,
  isFinal,
  isSettled,
  stoppable,
  warningOf,
} from '@sandagent/core/internal'
import type { StoredQuestion } from '@sandagent/core/store'
import { createPace } from '../watch/poll.ts'

/** How many characters are read before states are passed on: an agent can fill the folder. */
const MOST_AT_ONCE_CHARS = 4 * 1024 * 1024

/** Few, because each file may be large. */
const READS_AT_ONCE = 8

/** How many characters an unreadable file counts for: opening it is the work. */
const UNREADABLE_CHARS = 4096

/** How many names are remembered. With more names, all files are read. */
const MOST_NAMES = 10_000

/** Where states come from. Each has the name of its file. */
export interface StateSource {
  /** The names of all states, with stamps that change with them, if the sandbox knows stamps. */
  stamps(): Promise<ReadonlyMap<string, string | undefined>>
  read(fileName: string, onWarning: OnWarning): Promise<StoredQuestion | null>
  /** Reports changes by name, or `null` for any change. It may miss some. The returned function stops it. */
  watch(report: (fileName: string | null) => void): () => void
}

/** Yields every state, then each change. It reads all files at times, and in between only the reported ones. */
export function followFiles(
  source: StateSource,
  { onWarning, clock }: { onWarning: OnWarning; clock: Clock },
  signal: AbortSignal,
): AsyncIterable<readonly StoredQuestion[]> {
  return stoppable(signal, async function* (stopped) {
    const wakeSignal = createWakeSignal(stopped)
    const due = createDueList(wakeSignal.ring)
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
        const { changed, left } = await look(fileNames)
        if (stopped.aborted) return
        for (const fileName of left) due.add(fileName)
        if (fileNames === null) {
          cancelTimer()
          const delayMs = delayAfter(changed.length > 0, clock.now() - startedAt)
          cancelTimer = clock.after(delayMs, () => due.add(null))
        }
        yield changed
        await wakeSignal.sleep()
      }
    } finally {
      release()
    }
  })
}

/** Collects the names to read next. It begins with everything, which is `null`. */
function createDueList(onAdded: () => void): { add(name: string | null): void; take(): string[] | null } {
  const names = new Set<string>()
  let all = true
  return {
    add(name) {
      if (name === null || names.size >= MOST_NAMES) all = true
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

/** Reads states and returns those that changed, and the names that are left for the next time. */
function createLook(
  source: StateSource,
  onWarning: OnWarning,
): (fileNames: string[] | null) => Promise<{ changed: StoredQuestion[]; left: string[] }> {
  /** Versions, so that a full folder does not fill the memory. */
  const seen = new Map<string, string>()
  const warn = distinctWarnings(onWarning)
  /** From the last time that everything was read. They are older than what was read since, so no change is missed. */
  let stamps: ReadonlyMap<string, string | undefined> = new Map()
  /** The stamps of files that have ended or cannot be read. They are read again when their stamp changes. */
  const ended = new Map<string, string>()

  const allNames = async (): Promise<string[]> => {
    try {
      stamps = await source.stamps()
      warn('', [])
    } catch (error) {
      warn('', [warningOf(error)])
      return []
    }
    for (const map of [seen, ended]) for (const name of map.keys()) if (!stamps.has(name)) map.delete(name)
    return [...stamps].flatMap(([name, stamp]) =>
      stamp !== undefined && ended.get(name) === stamp ? [] : [name],
    )
  }

  const noteEnd = (fileName: string, hasEnded: boolean): void => {
    const stamp = stamps.get(fileName)
    if (hasEnded && stamp !== undefined) ended.set(fileName, stamp)
    else ended.delete(fileName)
  }

  /** One file that cannot be read must not keep the others from being read. */
  const readOne = async (
    fileName: string,
    warnOne: OnWarning,
  ): Promise<StoredQuestion | null | 'unknown'> => {
    try {
      return await source.read(fileName, warnOne)
    } catch (error) {
      warnOne(warningOf(error))
      noteEnd(fileName, isFileFault(error))
      return 'unknown'
    }
  }

  const readSome = (fileNames: readonly string[]) =>
    Promise.all(
      fileNames.map(async (fileName) => {
        const warnings: ChannelWarning[] = []
        const state = await readOne(fileName, (warning) => warnings.push(warning))
        return { fileName, state, warnings }
      }),
    )

  return async (fileNames) => {
    const changed: StoredQuestion[] = []
    let room = MOST_AT_ONCE_CHARS
    const names = fileNames ?? (await allNames())
    for (let from = 0; from < names.length; from += READS_AT_ONCE) {
      if (room < 0) return { changed, left: names.slice(from) }
      for (const { fileName, state, warnings } of await readSome(names.slice(from, from + READS_AT_ONCE))) {
        warn(fileName, warnings)
        if (state === 'unknown') {
          room -= UNREADABLE_CHARS
          continue
        }
        noteEnd(fileName, state === null || hasEnded(state))
        // Agents may make and remove any number of files, so removed files are forgotten.
        if (state === null) {
          seen.delete(fileName)
          continue
        }
        const { record, answer, unpublished } = state
        const content = JSON.stringify([record?.version, answer?.version, unpublished])
        if (content === seen.get(fileName)) continue
        seen.set(fileName, content)
        room -= (record?.text.length ?? 0) + (answer?.text.length ?? 0)
        changed.push(state)
      }
    }
    return { changed, left: [] }
  }
}

const hasEnded = ({ parsed, accepted, unpublished }: StoredQuestion): boolean =>
  !unpublished &&
  (parsed ? isSettled(parsed) : accepted !== undefined && accepted !== null && isFinal(accepted))
