import { dirname, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { errorCode } from '../lib/error-code.ts'
import { type DiskCalls, diskCalls } from './disk-calls.ts'
import { createFolderClaim } from './folder-claim.ts'
import { syncDirectory, temporaryPath, writeNew } from './write-synced.ts'

export interface WriteOptions {
  /** Only creates: one of several writers, in all processes, succeeds. */
  exclusive?: boolean
  /**
   * The name of a sibling that is created first, with the same text. Of several writers one creates it, and only that
   * one replaces the file. After a crash in between, only the claim exists: readers look there first.
   */
  claim?: string
}

/** How to reach the folder of a file that is written. */
interface Reach {
  /** Default: those for the folder's disk. */
  calls?: DiskCalls
  /** The opened folder, which saves opening it again. */
  folder?: number | undefined
}

/**
 * Writes a file so that readers see the old text or the new text, also after a crash: a temporary sibling is synced and then
 * renamed. The file is for this user alone (0600). Its folder must exist. A link at `path` is replaced.
 *
 * With a claim there is still one durable write, of the claim: readers look there first. The file is a separate copy, because
 * older writers overwrite it in place. The copy is written before the claim, so that a full disk is noticed in time.
 *
 * @param options.exclusive without hard links, readers may see a part of the text for a moment
 * @throws AskError `CONFLICT` when `exclusive` and the file exists, or when the claim does.
 */
export async function writeFileAtomic(
  path: string,
  text: string,
  { exclusive = false, claim }: WriteOptions = {},
  { calls = diskCalls(dirname(path)), folder }: Reach = {},
): Promise<void> {
  const directory = dirname(path)
  const temporary = temporaryPath(directory)
  const copy = claim === undefined ? null : temporaryPath(directory)
  try {
    if (copy !== null) await writeNew(calls, copy, text, { synced: false })
    await writeNew(calls, temporary, text, { synced: true })
    if (claim !== undefined) {
      // This comment keeps Next.js from deploying every file of the project because of this path.
      const claimPath = join(/* turbopackIgnore: true */ directory, claim)
      await created(
        claimPath,
        linkOr(calls, temporary, claimPath, () => createFolderClaim(calls, claimPath, text)),
      )
    }
    if (exclusive)
      await created(
        path,
        linkOr(calls, temporary, path, () => writeNew(calls, path, text, { synced: true })),
      )
    else await calls.rename(copy ?? temporary, path)
    if (exclusive || copy !== null) await calls.unlink(temporary)
  } catch (error) {
    for (const file of [temporary, copy]) if (file !== null) await removeIfThere(calls, file)
    throw error
  }
  await syncDirectory(calls, directory, folder)
}

async function removeIfThere(calls: DiskCalls, path: string): Promise<void> {
  try {
    await calls.unlink(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

/** The error codes of file systems without hard links: exFAT, SMB and FUSE mounts. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** rename() replaces an existing file; link() fails. Without hard links `other` is used. */
async function linkOr(
  calls: DiskCalls,
  temporary: string,
  path: string,
  other: () => Promise<void>,
): Promise<void> {
  try {
    await calls.link(temporary, path)
  } catch (error) {
    if (!NO_LINKS.includes(errorCode(error) ?? '')) throw error
    await other()
  }
}

async function created(path: string, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    throw new AskError('CONFLICT', 'The file exists already', { facts: { path } })
  }
}
