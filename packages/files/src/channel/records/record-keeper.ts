import { join } from 'node:path'
import {
  type Clock,
  distinctWarnings,
  errorCode,
  fileNameOf,
  isSettled,
  type Mutex,
  type OnWarning,
  type QuestionRecord,
  warningOf,
} from '@sandagent/core/internal'
import pLimit from 'p-limit'
import { diskCalls } from '../../disk/disk-calls.ts'
import { isMissing } from '../../disk/is-missing.ts'
import { MOST_NAMES, type SandboxFiles } from '../../disk/sandbox-files.ts'
import { folderName } from '../../lib/place.ts'
import type { StateFolders } from '../state-folders.ts'
import type { RecordFiles, WrittenRecord } from './record-files.ts'

/** How often the folder is looked at, in milliseconds. */
const EVERY_MS = 1000

/** A look takes at most this part of the time. */
const SHARE = 1 / 50

/** Two changes at one moment can leave the same stamp, so it counts only after this time. In milliseconds. */
const SETTLING_MS = 2000

/** Some file systems keep no stamp of a folder. So its files are looked at this often in any case, in milliseconds. */
const FULL_EVERY_MS = 10_000

/** With more files than this, one list of the folder is cheaper than looking for each. */
const FEW = 50

/** Looks after the records of questions that wait: somebody may remove them, or put older ones in their place. */
export interface RecordKeeper {
  /** Looks after the record of a question until the returned function is called. */
  keep(toolCallId: string, recordOf: () => QuestionRecord | undefined): () => void
}

interface KeeperOptions {
  /** The workdir. */
  root: string
  files: Pick<SandboxFiles, 'place'>
  folders: Pick<StateFolders, 'state' | 'questions'>
  records: Pick<RecordFiles, 'publish' | 'read'>
  /** The unsettled records that this process wrote. */
  written: Map<string, Pick<WrittenRecord, 'version' | 'state'>>
  /** Records of a question are written one after the other: an open one must not replace a closing one. */
  inTurn: Mutex
  makeFolders(): Promise<void>
  /** Called with the name of the folder that the questions are in now. */
  onMoved(place: string): void
  onWarning: OnWarning
  clock: Clock
}

interface Look {
  /** Which folder it is. */
  identity: string
  stamp: string
}

const NOTHING: Look = { identity: '', stamp: '' }

/**
 * One look for all records of a process: while the stamp of their folder stays the same, none came or went. A record is written
 * again when two looks in a row do not find it, so that nobody writes into a folder that is just being removed.
 */
export function createRecordKeeper(options: KeeperOptions): RecordKeeper {
  const { root, files, folders, records, written, inTurn, makeFolders, onMoved, onWarning, clock } = options
  const folder = folders.questions
  /** How many wait for each question, and its record. */
  const kept = new Map<string, { count: number; recordOf: () => QuestionRecord | undefined }>()
  const warn = distinctWarnings(onWarning)
  let missing = new Set<string>()
  let last = { ...NOTHING, changedAt: 0, fullAt: Number.NEGATIVE_INFINITY }
  let stop: (() => void) | null = null

  const lookAtFolder = async (): Promise<Look> => {
    const stats = await diskCalls(root).lstat(join(root, folder))
    if (!stats) return NOTHING
    const identity = folderName(stats)
    return { identity, stamp: [identity, stats.mtimeMs, stats.ctimeMs].join() }
  }

  const missingNow = async (): Promise<string[]> => {
    const ids = [...kept.keys()]
    const path = (toolCallId: string): string => join(folder, fileNameOf(toolCallId))
    if (ids.length <= FEW) {
      const found = await Promise.all(ids.map((id) => isMissing(root, path(id))))
      return ids.filter((_, index) => found[index])
    }
    const names = new Set(await diskCalls(root).names(join(root, folder), MOST_NAMES))
    return names.size < MOST_NAMES ? ids.filter((id) => !names.has(fileNameOf(id))) : []
  }

  /** Writes the record of a question again that is gone, or whose folder was replaced. */
  const mend = async (toolCallId: string, isGone: boolean): Promise<void> => {
    const record = kept.get(toolCallId)?.recordOf()
    const last = written.get(toolCallId)
    // A record that is just being written needs nobody's help.
    if (!record || isSettled(record) || (last && last.state !== record.state)) return
    if (isGone) await makeFolders()
    const here = await files.place?.(folder)
    if (!isGone && (here === undefined || here === record.place || !(await isStillOurs(record)))) return
    const mended: QuestionRecord = { ...record, ...(here !== undefined && { place: here }) }
    try {
      const { version, state } = await records.publish(mended, { exclusive: isGone })
      written.set(toolCallId, { version, state })
    } catch (error) {
      if (errorCode(error) === 'CONFLICT') return // Another process that waits was faster.
      throw error
    }
    if (here !== undefined) onMoved(here)
    await makeFolders()
    if (isGone) onWarning({ code: 'LOST_RECORD', message: lostRecord(folders.state), toolCallId })
  }

  const isStillOurs = async ({ toolCallId, nonce, process }: QuestionRecord): Promise<boolean> => {
    const there = await records.read(toolCallId)
    return there !== null && !isSettled(there) && there.nonce === nonce && there.process === process
  }

  const mendOrWarn = async (toolCallId: string, isGone: boolean): Promise<void> => {
    if (!kept.has(toolCallId)) return
    try {
      await inTurn(toolCallId, () => mend(toolCallId, isGone))
      warn(toolCallId, [])
    } catch (error) {
      warn(toolCallId, [warningOf(error, toolCallId)])
    }
  }

  const look = async (): Promise<void> => {
    const now = clock.now()
    const found = await lookAtFolder()
    const changedAt = found.stamp === last.stamp ? last.changedAt : now
    const isQuiet = now - changedAt > SETTLING_MS && now - last.fullAt < FULL_EVERY_MS
    if (isQuiet && missing.size === 0) return
    const isMoved = found.identity !== last.identity
    last = { ...found, changedAt, fullAt: now }
    // The workdir itself is gone, or was moved: a question that is written there reaches nobody.
    if (await isMissing(root, '.')) return
    const before = missing
    missing = new Set(found === NOTHING ? kept.keys() : await missingNow())
    const due = [...(isMoved ? kept.keys() : missing)].filter((id) => !missing.has(id) || before.has(id))
    await pLimit(FEW).map(due, (id) => mendOrWarn(id, missing.has(id)))
  }

  const round = async (): Promise<void> => {
    const startedAt = clock.now()
    await look().catch((error: unknown) => warn('', [warningOf(error)]))
    if (stop) next(Math.max(EVERY_MS, (clock.now() - startedAt) / SHARE))
  }

  const next = (ms: number): void => {
    stop = clock.after(ms, () => void round())
  }

  return {
    keep(toolCallId, recordOf) {
      kept.set(toolCallId, { count: (kept.get(toolCallId)?.count ?? 0) + 1, recordOf })
      if (!stop) next(EVERY_MS)
      return () => {
        const others = (kept.get(toolCallId)?.count ?? 1) - 1
        if (others > 0) kept.set(toolCallId, { count: others, recordOf })
        else kept.delete(toolCallId)
        if (kept.size > 0) return
        stop?.()
        stop = null
        missing = new Set()
        last = { ...NOTHING, changedAt: 0, fullAt: Number.NEGATIVE_INFINITY }
      }
    },
  }
}

const lostRecord = (stateFolder: string): string =>
  `The record of this question was gone, and is there again. Keep ${stateFolder} out of what removes files, such as git clean -x`
