import type { OnWarning } from '@sandagent/core'
import {
  type ChannelWarning,
  type Clock,
  isFileFault,
  isSettled,
  type QuestionRecord,
  warningOf,
} from '@sandagent/core/internal'
import pLimit from 'p-limit'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { fileOfEntry } from '../file-paths.ts'
import { knownFiles } from '../known-files.ts'
import { parseRecord } from '../stored-question.ts'

/** How many characters of open questions, and of settled ones, are listed: an agent can fill the folder. */
const MOST_LISTED_CHARS = 16 * 1024 * 1024

/** About how many unreadable files one list reads. The next list skips them and reads further. */
const MOST_UNREADABLE = 1000

/** How many of them one list reports by name. */
const MOST_NAMED = 20

/** How many files of a folder are read at once. */
export const READS_AT_ONCE = 32

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
  const known = knownFiles(files, folder, clock.now)
  const stamps = await stampsIn(files, folder)
  known.keep(stamps)

  const records: QuestionRecord[] = []
  const room = { open: MOST_LISTED_CHARS, settled: MOST_LISTED_CHARS }
  const unreadable: ChannelWarning[] = []
  let newlyUnreadable = 0
  const isFull = (): boolean => room.open < 0 || newlyUnreadable >= MOST_UNREADABLE

  const textOf = async (fileName: string, stamp: string | undefined): Promise<string | null> => {
    const found = stamp === undefined ? undefined : known.get(fileName, stamp)
    if (found === undefined || (found === 'settled' && !unsettled)) return files.read(`${folder}/${fileName}`)
    if (found === 'settled') return null
    if ('text' in found) return found.text
    unreadable.push(found)
    return null
  }

  const add = async (fileName: string, stamp: string | undefined): Promise<void> => {
    if (isFull()) return
    try {
      const text = await textOf(fileName, stamp)
      if (text === null || isFull()) return
      const record = parseRecord(text, { fileName })
      const kind = isSettled(record) ? 'settled' : 'open'
      if (stamp !== undefined) known.set(fileName, stamp, kind === 'settled' ? 'settled' : { text })
      if (kind === 'settled' && unsettled) return
      room[kind] -= text.length
      if (room[kind] >= 0) records.push(record)
    } catch (error) {
      const { message, ...about } = warningOf(error)
      const warning = {
        ...about,
        message: message.startsWith(fileName) ? message : `${fileName}: ${message}`,
      }
      if (isFileFault(error) && stamp !== undefined) known.set(fileName, stamp, warning)
      newlyUnreadable += 1
      unreadable.push(warning)
    }
  }

  await pLimit(READS_AT_ONCE).map(stamps, ([fileName, stamp]) => add(fileName, stamp))
  for (const warning of unreadable.slice(0, MOST_NAMED)) onWarning(warning)
  const more = unreadable.length - MOST_NAMED
  if (more > 0) onWarning({ code: 'INVALID_FILE', message: `${more} more question files cannot be read` })
  for (const [kind, left] of Object.entries(room)) {
    const message = `There are more ${kind} questions than can be listed. Answer or withdraw some, or sweep settled ones sooner by sweepAfterMs`
    if (left < 0) onWarning({ code: 'TOO_LARGE', message })
  }
  return byAge(records)
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
