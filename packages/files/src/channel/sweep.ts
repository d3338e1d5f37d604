import {
  ATTACHMENT_FILE,
  type Clock,
  DEFAULT_SWEEP_AFTER_MS,
  invalid,
  isFinal,
  isSettled,
  parseAnswerFile,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import { createHourly } from '../lib/hourly.ts'
import { fileOfEntry } from './file-paths.ts'
import type { StateFolders } from './state-folders.ts'
import { parseRecord } from './stored-question.ts'

export interface SweepOption {
  /**
   * After this time, in milliseconds, settled questions are removed, and answers whose question is gone. Each side removes
   * its own files: the runner its questions, the host its answers. A question that waits is never removed. `false` keeps
   * everything. Default seven days.
   */
  sweepAfterMs?: number | false | undefined
}

/** One process sweeps one folder once an hour. */
const isDue = createHourly()

/** @throws AskError `INVALID_REQUEST` */
export function checkSweepAfter({ sweepAfterMs }: SweepOption): void {
  if (sweepAfterMs === undefined || sweepAfterMs === false) return
  if (typeof sweepAfterMs !== 'number' || !(sweepAfterMs > 0))
    throw invalid('INVALID_REQUEST', 'This is no time', [
      { path: 'sweepAfterMs', expected: 'milliseconds above 0, or false' },
    ])
}

interface SweepContext {
  files: SandboxFiles
  folders: StateFolders
  clock: Clock
  sweepAfterMs: number | false | undefined
}

/** Sweeps a folder now and then. Call it after a write: only the side that writes there may sweep. It never fails. */
export async function sweepAtTimes(
  folder: 'questions' | 'approvals' | 'attachments',
  { files, folders, clock, sweepAfterMs = DEFAULT_SWEEP_AFTER_MS }: SweepContext,
): Promise<void> {
  if (sweepAfterMs === false || !files.removeOld || files.id === undefined) return
  const now = clock.now()
  const due = isDue(JSON.stringify([files.id, folders[folder]]), now)
  if (!due) return
  try {
    if (folder === 'attachments' && !(await tellsTime(files, folders))) return
    const mayGo = await MAY_GO[folder](files, folders)
    await files.removeOld(folders[folder], {
      olderThanMs: sweepAfterMs,
      now,
      // Many agents ask one question in each process: none of them must pay for all that is stored.
      isFirstLook: due === 'first',
      // What cannot be read stays.
      mayGo: (name) => mayGo(name).catch(() => false),
    })
  } catch {
    // What was not removed does no harm. The next time may succeed.
  }
}

/** Decides by what is there now which entries of a folder may go. */
type MayGo = (files: SandboxFiles, folders: StateFolders) => Promise<(name: string) => Promise<boolean>>

/** Whether a file is the record of a settled question. */
const isSettledQuestion: MayGo =
  async (files, { questions }) =>
  async (name: string): Promise<boolean> => {
    if (fileOfEntry(name) !== name) return false
    const text = await files.read(`${questions}/${name}`)
    return text !== null && isSettled(parseRecord(text, { fileName: name }))
  }

/**
 * Whether a file is an answer or a claim whose question is gone. While the record is there, a runner that starts again needs
 * them: it believes a receipt only with the answer to it.
 */
const isAnswerToNothing: MayGo = async (files, { state, questions, approvals }) => {
  // A folder that was moved away looks like one without questions.
  const isThere = (await files.list(state)).some((name) => `${state}/${name}` === questions)
  return async (name) => {
    const fileName = fileOfEntry(name)
    if (!isThere || fileName === null) return false
    if ((await files.read(`${questions}/${fileName}`)) !== null) return false
    if (name !== fileName) return true
    const text = await files.read(`${approvals}/${name}`)
    if (text === null) return false
    // A draft without a nonce may be a question of an older runner, which waits.
    const answerFile = parseAnswerFile(text)
    return isFinal(answerFile) || answerFile.nonce !== undefined
  }
}

/** The name of the file whose time is the time of a sweep: where nothing else is written, everything would stay new. */
const CLOCK = '.swept'

/** Writes the file that tells the time. `false` where there is nothing to sweep. */
async function tellsTime(files: SandboxFiles, { attachments }: StateFolders): Promise<boolean> {
  if (!(await files.list(attachments)).some((name) => ATTACHMENT_FILE.test(name))) return false
  await files.writeAtomic(`${attachments}/${CLOCK}`, '')
  return true
}

/**
 * Whether a file of a person is named by no record and no answer. If any of them cannot be read, it may name it, and everything
 * stays. They are read once, and only if something is old.
 */
const isNamedByNothing: MayGo = async (files, { questions, approvals }) => {
  const readAll = async (): Promise<string> => {
    const texts: string[] = []
    for (const folder of [questions, approvals])
      for (const name of await files.list(folder))
        if (fileOfEntry(name) !== null) texts.push(digestsIn((await files.read(`${folder}/${name}`)) ?? ''))
    return texts.join(' ')
  }
  let named: Promise<string> | undefined
  return async (name) => {
    named ??= readAll()
    // A mark goes with its file.
    const [file = ''] = name.split('~')
    return ATTACHMENT_FILE.test(file) && !(await named).includes(file.slice(0, 64))
  }
}

/** All that may be the digest of a file. */
const digestsIn = (text: string): string => text.match(/"sha256":\s*"[0-9a-f]{64}"/g)?.join(' ') ?? ''

const MAY_GO = { questions: isSettledQuestion, approvals: isAnswerToNothing, attachments: isNamedByNothing }
