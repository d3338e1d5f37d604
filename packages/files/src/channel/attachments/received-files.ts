// Why it is so: docs/decisions/0115-an-answer-names-its-files.md

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AskError,
  ATTACHMENT_FILE,
  type Attachment,
  attachmentFileName,
  backOffMs,
  errorCode,
  type FilePlace,
  type RunnerChannel,
  sleep,
  systemClock,
} from '@sandagent/core/internal'
import { createLocalFiles } from '../../disk/local-files.ts'
import { realPath } from '../../watch/directory-watch.ts'
import { ignoreForGit } from '../git-ignore.ts'
import { type StateFolderOption, stateFolders } from '../state-folders.ts'
import { answerFiles } from './answer-files.ts'
import { attachedFile } from './attached-file.ts'
import { copyFile } from './copy-file.ts'

/** How long a piece is asked for while the store is out of reach, and the pause in between. */
const TRY_FOR_MS = 30_000
const PAUSE_MS = [100, 5000] as const

interface Place extends StateFolderOption {
  /** As the agent sees it. */
  workdir: string
}

type FileAt = NonNullable<RunnerChannel['fileAt']>
type Read = NonNullable<RunnerChannel['readFile']>

/**
 * A channel whose files are elsewhere, such as in the store of a fleet: those that its answers name come into the state folder
 * of a workdir, or into a temporary folder if this process may not write there.
 */
export function withFilesIn(channel: RunnerChannel, place: Place): RunnerChannel {
  const fileAt = fileAtOf(channel, place)
  return fileAt ? { ...channel, fileAt } : channel
}

/**
 * How a file that an answer names gets a path for the agent. `null`: no files come over this channel.
 *
 * @param place where files that are elsewhere come to. Default: a temporary folder, which ends with this process
 */
export function fileAtOf(
  { fileAt, readFile }: Pick<RunnerChannel, 'fileAt' | 'readFile'>,
  place?: Place,
): FileAt | null {
  if (fileAt || !readFile) return fileAt ?? null
  return async (file, toolCallId, signal) => {
    const read = patiently(readFile, signal)
    for (const at of place ? [place, null] : [null])
      try {
        return await receive(at ?? (await temporaryPlace()), read, file, toolCallId)
      } catch (error) {
        if (error === OUT_OF_REACH) return { missing: 'unreachable' }
        // It is somebody else's folder, or a full one. Other errors are bugs.
        if (errorCode(error) === undefined) throw error
      }
    // The answer counts without its files, too.
    return { missing: 'no-room' }
  }
}

/** Brings a file here, unless it is here as it was given. */
async function receive(place: Place, read: Read, file: Attachment, toolCallId: string): Promise<FilePlace> {
  if (!ATTACHMENT_FILE.test(attachmentFileName(file))) return { missing: 'gone' }
  const { state, attachments } = stateFolders(place)
  const root = realPath(place.workdir)
  const there = await attachedFile(root, attachments, file)
  if ('path' in there) return there
  const files = createLocalFiles(place.workdir)
  const local = answerFiles({ ...place, files })
  const missing = local ? await copyFile({ readFile: read }, local, toolCallId, file) : 'no-room'
  if (missing) return { missing }
  await ignoreForGit(files, state)
  return attachedFile(root, attachments, file)
}

const OUT_OF_REACH = new AskError('UNREACHABLE', 'The files of answers cannot be reached')

/**
 * Reads each piece, and asks again while the store is out of reach: nobody waits for ever for a store that is gone.
 *
 * @param signal ends that at once
 * @throws OUT_OF_REACH, also for what a store refuses
 */
function patiently(read: Read, signal: AbortSignal | undefined): Read {
  return async (...of) => {
    const until = systemClock.now() + TRY_FOR_MS
    for (let failures = 1; !signal?.aborted; failures++) {
      try {
        return await orAborted(read(...of), signal)
      } catch (error) {
        if (!(error instanceof AskError)) throw error
        if (error.code !== 'UNREACHABLE' || systemClock.now() > until) break
        await sleep(systemClock, backOffMs(failures, ...PAUSE_MS), signal)
      }
    }
    throw OUT_OF_REACH
  }
}

/** The result of what cannot be stopped itself. @throws OUT_OF_REACH once the signal aborts */
function orAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return result
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(OUT_OF_REACH)
    signal.addEventListener('abort', stop)
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

let temporary: Promise<Place> | undefined

function temporaryPlace(): Promise<Place> {
  temporary ??= mkdtemp(join(tmpdir(), 'sandagent-files-')).then(
    (workdir) => {
      process.once('exit', () => rmSync(workdir, { recursive: true, force: true }))
      return { workdir }
    },
    (error: unknown) => {
      temporary = undefined
      throw error
    },
  )
  return temporary
}
