import { randomUUID } from 'node:crypto'
import type { OnWarning } from '@sandagent/core'
import {
  type ChannelWarning,
  type Clock,
  isFileFault,
  isSettled,
  type QuestionRecord,
  warningOf,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { eachAtOnce } from '../../lib/each-at-once.ts'
import { fileOfEntry } from '../file-paths.ts'
import { parseRecord } from '../stored-question.ts'

/** How many characters of open questions, and of settled ones, are listed: an agent can fill the folder. */
const MOST_LISTED_CHARS = 16 * 1024 * 1024

/** About how many unreadable files one list reads. The next list skips them and reads further. */
const MOST_UNREADABLE = 1000

/** How many of them one list reports by name. */
const MOST_NAMED = 20

/** How many files of a folder are read at once. */
export const READS_AT_ONCE = 32

/** After so many characters of open questions were read, this process begins to remember anew. */
const MOST_KNOWN_CHARS = 64 * 1024 * 1024

/** How many characters a remembered file counts for beside its record. */
const CHARS_OF_ENTRY = 250

/**
 * Two writes at one moment can leave the same stamp. So a record is used again only if it was read this many milliseconds after
 * its stamp was first seen.
 */
const SETTLING_MS = 2000

/** What a file was found to be. Of a settled question only that is remembered. */
type Found = 'settled' | ReadRecord | Unreadable

interface ReadRecord {
  record: QuestionRecord
  chars: number
}

interface Unreadable {
  warning: ChannelWarning
  /** Whether the file itself is at fault, and not the system. */
  isFault: boolean
}

interface KnownFile {
  stamp: string
  firstSeenAt: number
  readAt: number
  found: Found
}

/**
 * What this process knows of files until their stamps change. It outlives channels, because hosts make a channel per request.
 */
const known = new Map<string, KnownFile>()
let knownChars = 0

/** Names sandbox files that do not say which place they are. */
const ids = new WeakMap<SandboxFiles, string>()

/**
 * The records in a folder, oldest first. Unreadable records are warnings, of which a list reads and reports a limited number.
 *
 * @param options.unsettled leaves out settled records. Files are not read again until their stamps change.
 */
export async function listRecords(
  files: SandboxFiles,
  folder: string,
  { unsettled, onWarning, clock }: { unsettled: boolean; onWarning: OnWarning; clock: Clock },
): Promise<QuestionRecord[]> {
  const startedAt = clock.now()
  const stamps = await stampsIn(files, folder)
  const id = files.id ?? ids.get(files) ?? randomUUID()
  ids.set(files, id)
  const place = JSON.stringify([id, folder])

  const records: QuestionRecord[] = []
  const room = { open: MOST_LISTED_CHARS, settled: MOST_LISTED_CHARS }
  const unreadable: ChannelWarning[] = []
  let newlyUnreadable = 0

  const read = async (fileName: string): Promise<ReadRecord | Unreadable | null> => {
    try {
      const text = await files.read(`${folder}/${fileName}`)
      return text === null ? null : { record: parseRecord(text, { fileName }), chars: text.length }
    } catch (error) {
      newlyUnreadable += 1
      const { message, ...about } = warningOf(error)
      const named = message.startsWith(fileName) ? message : `${fileName}: ${message}`
      return { warning: { ...about, message: named }, isFault: isFileFault(error) }
    }
  }

  const add = async ([fileName, stamp]: [string, string | undefined]): Promise<void> => {
    if (room.open < 0 || newlyUnreadable >= MOST_UNREADABLE) return
    const key = place + fileName
    const before = known.get(key)
    const isSame = stamp !== undefined && before?.stamp === stamp
    const usable = isSame && isUsable(before, unsettled) ? before.found : null
    if (usable === 'settled') return
    const found = usable ?? (await read(fileName))
    if (!found) return
    const isEnded = 'record' in found && isSettled(found.record)
    if (!usable && stamp !== undefined && ('record' in found || found.isFault)) {
      const firstSeenAt = isSame ? before.firstSeenAt : clock.now()
      remember(key, { stamp, firstSeenAt, readAt: startedAt, found: isEnded ? 'settled' : found })
    }
    if ('warning' in found) {
      unreadable.push(found.warning)
      return
    }
    const kind = isEnded ? 'settled' : 'open'
    if (isEnded && unsettled) return
    room[kind] -= found.chars
    if (room[kind] >= 0) records.push(found.record)
  }

  await eachAtOnce(stamps, READS_AT_ONCE, add)
  for (const warning of unreadable.slice(0, MOST_NAMED)) onWarning(warning)
  const more = unreadable.length - MOST_NAMED
  if (more > 0) onWarning({ code: 'INVALID_FILE', message: `${more} more question files cannot be read` })
  for (const [kind, left] of Object.entries(room)) {
    const message = `There are more ${kind} questions than can be listed. Answer or withdraw some, or sweep settled ones sooner by sweepAfterMs`
    if (left < 0) onWarning({ code: 'TOO_LARGE', message })
  }
  return byAge(records)
}

function isUsable({ found, firstSeenAt, readAt }: KnownFile, unsettled: boolean): boolean {
  if (found === 'settled') return unsettled
  return 'warning' in found || readAt - firstSeenAt >= SETTLING_MS
}

function remember(key: string, file: KnownFile): void {
  if (knownChars > MOST_KNOWN_CHARS) {
    known.clear()
    knownChars = 0
  }
  known.set(key, file)
  const { found } = file
  knownChars += CHARS_OF_ENTRY + (typeof found === 'object' && 'record' in found ? found.chars : 0)
}

/** The files of the records, with stamps if the sandbox knows them. */
async function stampsIn(files: SandboxFiles, folder: string): Promise<Map<string, string | undefined>> {
  const entries: Iterable<[string, string | undefined]> = files.stamps
    ? await files.stamps(folder)
    : (await files.list(folder)).map((name) => [name, undefined])
  return new Map([...entries].filter(([entry]) => fileOfEntry(entry) === entry))
}

function byAge(records: readonly QuestionRecord[]): QuestionRecord[] {
  const timed = records.map((record) => ({ record, time: Date.parse(record.askedAt) }))
  timed.sort((a, b) => a.time - b.time || (a.record.toolCallId < b.record.toolCallId ? -1 : 1))
  return timed.map(({ record }) => record)
}
