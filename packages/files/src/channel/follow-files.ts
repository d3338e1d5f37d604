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
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import { createPace } from '../watch/poll.ts'
import { fileOfEntry } from './file-paths.ts'
import { stateStamps } from './state-stamps.ts'

/** Few, because each file may be large, and what was read is passed on before more is read. */
const READS_AT_ONCE = 8

/** How many reported names are remembered. With more, all files are looked at. */
const MOST_REPORTED = 10_000

export interface FollowFilesOptions {
  files: Pick<SandboxFiles, 'stamps' | 'list' | 'watch'>
  /** Where the files of questions are. */
  folders: readonly string[]
  /** The name of the only file that is followed. Default: all. */
  only: string | undefined
  /** Reads the question whose files have this name. */
  read(fileName: string, onWarning: OnWarning): Promise<StoredQuestion | null>
  onWarning: OnWarning
  clock: Clock
}

/** What is remembered of a file: no texts, so that a full folder does not fill the memory. */
interface SeenFile {
  toolCallId?: string
  /** As it was before the file was read: no change is missed. */
  stamp?: string | undefined
  /** Whether it has ended or cannot be read: then it is read again when its stamp changes. Others are read in each look. */
  isDone: boolean
}

/** Yields every state, then what may have changed. It looks at all files at times, and in between only at the reported ones. */
export function followFiles(
  { files, folders, only, read, onWarning, clock }: FollowFilesOptions,
  signal: AbortSignal,
): AsyncIterable<readonly StoredQuestion[]> {
  return stoppable(signal, async function* (stopped) {
    const wake = createWakeSignal(stopped)
    const warn = distinctWarnings(onWarning)
    const delayAfter = createPace()
    /** The files to read next. */
    const due = new Set<string>()
    let isLookDue = true
    const seen = new Map<string, SeenFile>()

    const report = (entry: string | null): void => {
      const fileName = entry === null ? null : fileOfEntry(entry)
      if (entry === null || due.size >= MOST_REPORTED) isLookDue = true
      else if (fileName !== null && (only ?? fileName) === fileName) due.add(fileName)
      else return
      wake.ring()
    }

    /** Looks for files that may have changed. Resolves to whether a stamp has changed. */
    const look = async (): Promise<boolean> => {
      let stamps: ReadonlyMap<string, string | undefined>
      try {
        stamps = only === undefined ? await stateStamps(files, folders) : new Map([[only, undefined]])
        warn('', [])
      } catch (error) {
        warn('', [warningOf(error)])
        return false
      }
      for (const name of seen.keys()) if (!stamps.has(name)) due.add(name)
      let hasChanged = false
      for (const [name, stamp] of stamps) {
        const before = seen.get(name)
        const isSame = before !== undefined && before.stamp === stamp
        if (isSame && before.isDone && stamp !== undefined) continue
        due.add(name)
        seen.set(name, { ...before, stamp, isDone: false })
        hasChanged ||= !isSame
      }
      return hasChanged
    }

    /** One file that cannot be read must not keep the others from being read. */
    const readOne = async (fileName: string): Promise<StoredQuestion | null> => {
      const warnings: ChannelWarning[] = []
      const before = seen.get(fileName)
      try {
        const stored = await read(fileName, (warning) => warnings.push(warning))
        if (stored) {
          const { toolCallId } = stored
          seen.set(fileName, { toolCallId, stamp: before?.stamp, isDone: hasEnded(stored) })
          return stored
        }
        // Agents may make and remove any number of files, so removed files are forgotten, unless one alone is followed.
        if (fileName === only) seen.set(only, { isDone: false })
        else seen.delete(fileName)
        return before?.toolCallId === undefined
          ? null
          : { toolCallId: before.toolCallId, record: null, answer: null }
      } catch (error) {
        warnings.push(warningOf(error))
        seen.set(fileName, { ...before, isDone: isFileFault(error) })
        return null
      } finally {
        warn(fileName, warnings)
      }
    }

    let cancelTimer = (): void => {}
    const stops = folders.map((folder) => files.watch?.(folder, report))
    const release = (): void => {
      cancelTimer()
      for (const stop of stops) stop?.()
    }
    stopped.addEventListener('abort', release)
    try {
      while (!stopped.aborted) {
        const startedAt = clock.now()
        const isLook = isLookDue
        isLookDue = false
        const hasChanged = isLook && (await look())
        const names = [...due]
        due.clear()
        for (let from = 0; from === 0 || from < names.length; from += READS_AT_ONCE) {
          const found = await Promise.all(names.slice(from, from + READS_AT_ONCE).map(readOne))
          if (stopped.aborted) return
          yield found.filter((stored) => stored !== null)
        }
        if (isLook) {
          cancelTimer()
          cancelTimer = clock.after(delayAfter(hasChanged, clock.now() - startedAt), () => report(null))
        }
        await wake.sleep()
      }
    } finally {
      release()
    }
  })
}

const hasEnded = ({ parsed, accepted, unpublished }: StoredQuestion): boolean =>
  !unpublished &&
  (parsed ? isSettled(parsed) : accepted !== undefined && accepted !== null && isFinal(accepted))
