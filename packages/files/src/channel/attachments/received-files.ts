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
  isFileFault,
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
  return async (file, toolCallId) => {
    if (!place) return receive(await temporaryPlace(), readFile, file, toolCallId)
    try {
      return await receive(place, readFile, file, toolCallId)
    } catch (error) {
      const fault = errorCode(error) === 'UNREACHABLE' ? (error as AskError).cause : error
      if (!isFileFault(fault) && !TAKES_NOTHING.has(errorCode(fault))) throw error
      return receive(await temporaryPlace(), readFile, file, toolCallId)
    }
  }
}

/** What a folder of somebody else says, and a full one. */
const TAKES_NOTHING: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'])

/** Brings a file here, unless it is here as it was given. `null`: its bytes are gone, or are others than the answer says. */
async function receive(
  place: Place,
  read: Read,
  file: Attachment,
  toolCallId: string,
): Promise<string | null> {
  if (!ATTACHMENT_FILE.test(attachmentFileName(file))) return null
  const { state, attachments } = stateFolders(place)
  const root = realPath(place.workdir)
  const there = await attachedFile(root, attachments, file)
  if (there) return there
  const local = answerFiles({ ...place, files: createLocalFiles(place.workdir) })
  const patient: Read = (...of) => patiently(() => read(...of))
  if (!local || !(await copyFile({ readFile: patient }, local, toolCallId, file))) return null
  await ignoreForGit(createLocalFiles(place.workdir), state)
  return attachedFile(root, attachments, file)
}

/** The answer counts without its files, too. So a refusal is no failure, and nobody waits for ever for a store that is gone. */
async function patiently<T>(read: () => Promise<T | null>): Promise<T | null> {
  const until = systemClock.now() + TRY_FOR_MS
  for (let failures = 1; ; failures++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      if (error.code !== 'UNREACHABLE' || systemClock.now() > until) return null
      await sleep(systemClock, backOffMs(failures, ...PAUSE_MS))
    }
  }
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
