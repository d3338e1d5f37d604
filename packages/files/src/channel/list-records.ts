import type { OnWarning } from '@sandagent/core'
import { type ChannelWarning, isSettled, type QuestionRecord } from '@sandagent/core/internal'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import { isFileFault } from '../lib/unreachable.ts'
import { warningOf } from '../lib/warning.ts'
import { knownFiles } from './known-files.ts'
import { fileOfEntry } from './paths.ts'
import { readRecord } from './question-state.ts'

/** How many characters of open questions, and of settled ones, are listed: an agent can fill the folder. */
const MOST_LISTED_CHARS = 4 * 1024 * 1024

/** How many unreadable files one list reads. The next list skips them and reads further. */
const MOST_UNREADABLE = 1000

/** How many of them one list reports by name. */
const MOST_NAMED = 20

/**
 * The records in a folder, oldest first. Unreadable records are warnings, of which a list reads and reports a limited number.
 *
 * @param options.unsettled leaves out settled records. Their files are not read again until their stamps change.
 */
export async function listRecords(
  files: SandboxFiles,
  folder: string,
  { unsettled, onWarning }: { unsettled: boolean; onWarning: OnWarning },
): Promise<QuestionRecord[]> {
  const known = knownFiles(files, folder)
  const stamps = await stampsIn(files, folder)
  known.keep(stamps)

  const unreadable: ChannelWarning[] = []
  let newlyUnreadable = 0

  const read = async (fileName: string, stamp: string | undefined): Promise<QuestionRecord | null> => {
    const verdict = stamp === undefined ? undefined : known.get(fileName, stamp)
    if (verdict === 'settled' && unsettled) return null
    if (verdict !== undefined && verdict !== 'settled') {
      unreadable.push(verdict)
      return null
    }
    try {
      const record = await readRecord(files, folder, { fileName })
      if (record && isSettled(record) && stamp !== undefined) known.set(fileName, stamp, 'settled')
      return record
    } catch (error) {
      const warning = warningOf(error)
      if (isFileFault(error) && stamp !== undefined) known.set(fileName, stamp, warning)
      newlyUnreadable += 1
      unreadable.push(warning)
      return null
    }
  }

  const records: QuestionRecord[] = []
  const room = { open: MOST_LISTED_CHARS, settled: MOST_LISTED_CHARS }
  // One after the other: thousands of questions at once would need as many open files.
  for (const [fileName, stamp] of stamps) {
    if (newlyUnreadable >= MOST_UNREADABLE) break
    const record = await read(fileName, stamp)
    if (!record) continue
    const kind = isSettled(record) ? 'settled' : 'open'
    if (kind === 'settled' && unsettled) continue
    room[kind] -= JSON.stringify(record).length
    if (room[kind] >= 0) records.push(record)
    if (room.open < 0) break
  }
  for (const warning of unreadable.slice(0, MOST_NAMED)) onWarning(warning)
  const more = unreadable.length - MOST_NAMED
  if (more > 0) onWarning({ code: 'INVALID_FILE', message: `${more} more question files cannot be read` })
  for (const [kind, left] of Object.entries(room)) {
    const message = `There are more ${kind} questions than can be listed`
    if (left < 0) onWarning({ code: 'TOO_LARGE', message })
  }
  return records.sort(byAge)
}

/** The files of the records, with stamps if the sandbox knows them. */
async function stampsIn(files: SandboxFiles, folder: string): Promise<Map<string, string | undefined>> {
  const entries: Iterable<[string, string | undefined]> = files.stamps
    ? await files.stamps(folder)
    : (await files.list(folder)).map((name) => [name, undefined])
  return new Map([...entries].filter(([entry]) => fileOfEntry(entry) === entry))
}

const byAge = (a: QuestionRecord, b: QuestionRecord): number =>
  Date.parse(a.askedAt) - Date.parse(b.askedAt) || (a.toolCallId < b.toolCallId ? -1 : 1)
