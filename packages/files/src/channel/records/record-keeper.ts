import { join } from 'node:path'
import {
  type Clock,
  distinctWarnings,
  fileNameOf,
  isSettled,
  type OnWarning,
  type QuestionRecord,
  warningOf,
} from '@sandagent/core/internal'
import { MOST_NAMES } from '../../disk/sandbox-files.ts'
import { type DiskCalls, diskCalls, isMissing } from '../../lib/disk-calls.ts'
import { folderName } from '../../lib/place.ts'

/** How often the folder is looked at, in milliseconds. */
const EVERY_MS = 1000

/** A look takes at most this part of the time. */
const SHARE = 1 / 50

/** Two changes at one moment can leave the same stamp, so it counts only after this time. In milliseconds. */
const SETTLING_MS = 2000

/** With more records than this, one list of the folder is cheaper than looking for each. */
const FEW = 50

/** Some file systems keep no stamp of a folder. So its files are looked at this often in any case, in milliseconds. */
const FULL_EVERY_MS = 10_000

/** A question that waits, and its record as this process knows it. */
export interface KeptQuestion {
  toolCallId: string
  recordOf: (toolCallId: string) => QuestionRecord | undefined
}

interface KeeperOptions {
  /** The workdir. */
  root: string
  /** The folder of the records, relative to it. */
  folder: string
  /** Writes the record of a question again that is gone, or whose folder was replaced. */
  mend(question: KeptQuestion, isGone: boolean): Promise<void>
  onWarning: OnWarning
  clock: Clock
}

/**
 * Looks after the records of questions that wait: somebody may remove them, or put older ones in their place. One look is for
 * all records of a process: while the stamp of their folder stays the same, none came or went. A record is mended when two
 * looks in a row do not find it, so that nobody writes into a folder that is just being removed.
 *
 * @returns a function that keeps the record of a question until the function that it returns is called
 */
export function createRecordKeeper({
  root,
  folder,
  mend,
  onWarning,
  clock,
}: KeeperOptions): (question: KeptQuestion) => () => void {
  const path = join(root, folder)
  const kept = new Set<KeptQuestion>()
  const warn = distinctWarnings(onWarning)
  let missing = new Set<string>()
  let last = { identity: '', stamp: '', changedAt: 0, fullAt: Number.NEGATIVE_INFINITY }
  let cancelTimer: (() => void) | null = null

  const mendOrWarn = async (question: KeptQuestion): Promise<void> => {
    const { toolCallId, recordOf } = question
    const record = recordOf(toolCallId)
    if (!kept.has(question) || !record || isSettled(record)) return
    try {
      await mend(question, missing.has(toolCallId))
      warn(toolCallId, [])
    } catch (error) {
      warn(toolCallId, [warningOf(error, toolCallId)])
    }
  }

  /** The names of the records that are there. Among many old files, a list of them all would make each question dearer. */
  const namesThere = async (calls: DiskCalls): Promise<Set<string>> => {
    if (kept.size > FEW) return new Set(await calls.names(path, MOST_NAMES))
    const found = new Set<string>()
    for (const { toolCallId } of kept) {
      const name = fileNameOf(toolCallId)
      if (await calls.lstat(join(path, name))) found.add(name)
    }
    return found
  }

  const look = async (): Promise<void> => {
    const calls = diskCalls(root)
    const stats = await calls.lstat(path)
    const now = clock.now()
    const identity = stats ? folderName(stats) : ''
    const stamp = [identity, stats?.mtimeMs, stats?.ctimeMs].join()
    const changedAt = stamp === last.stamp ? last.changedAt : now
    const isQuiet = now - changedAt > SETTLING_MS && now - last.fullAt < FULL_EVERY_MS
    if (isQuiet && missing.size === 0) return
    const isMoved = identity !== last.identity
    last = { identity, stamp, changedAt, fullAt: now }
    // The workdir itself is gone, or was moved: a question that is written there reaches nobody.
    if (!stats && (await isMissing(root, '.'))) return
    const names = stats ? await namesThere(calls) : new Set()
    const before = missing
    const isGone = ({ toolCallId }: KeptQuestion): boolean =>
      names.size < MOST_NAMES && !names.has(fileNameOf(toolCallId))
    missing = new Set([...kept].filter(isGone).map(({ toolCallId }) => toolCallId))
    const due = [...kept].filter(({ toolCallId }) =>
      missing.has(toolCallId) ? before.has(toolCallId) : isMoved,
    )
    await Promise.all(due.map(mendOrWarn))
  }

  const lookAfter = (ms: number): void => {
    const timer = clock.after(ms, async () => {
      const startedAt = clock.now()
      await look().catch((error: unknown) => warn('', [warningOf(error)]))
      if (cancelTimer === timer) lookAfter(Math.max(EVERY_MS, (clock.now() - startedAt) / SHARE))
    })
    cancelTimer = timer
  }

  return (question) => {
    kept.add(question)
    if (!cancelTimer) lookAfter(EVERY_MS)
    return () => {
      kept.delete(question)
      if (kept.size > 0) return
      cancelTimer?.()
      cancelTimer = null
    }
  }
}
