import { basename, dirname, join } from 'node:path'
import { AskError, errorCode, failedWith } from '@sandagent/core/internal'
import { type DiskCalls, diskCalls } from './disk-calls.ts'
import { createFolderClaim } from './folder-claim.ts'
import { removeEntry } from './remove-entry.ts'
import { syncDirectory, temporaryPath, writeNew } from './write-synced.ts'

export interface WriteOptions {
  /** Only creates: one of several writers, in all processes, succeeds. */
  exclusive?: boolean | undefined
  /**
   * The name of a sibling that is created first, with the same text. Of several writers one creates it, and only that
   * one replaces the file. After a crash in between, only the sibling exists: readers look there, too.
   */
  revision?: string | undefined
  /**
   * The same, after `revision`. The text is final then: nobody may write to the file, and the sibling `revision` is removed
   * in the end.
   */
  claim?: string | undefined
  /**
   * The path of a file whose user must be able to read the new one, relative to the workdir. If it is missing, the user of the
   * file that is replaced. Files elsewhere may do without it. Default: the file is for its writer alone.
   */
  reader?: string | undefined
}

/** Windows cannot replace a file that nobody may write to. */
const FINAL = process.platform === 'win32' ? 0o600 : 0o400

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
 * With a claim there is still one file, under both names. Nobody may write to it (0400), because older writers overwrite
 * answer files in place: they would overwrite the claim, too.
 *
 * @param options.exclusive without hard links, readers may see a part of the text for a moment
 * @throws AskError `CONFLICT` when `exclusive` and the file exists, or when a sibling of that name does.
 */
export async function writeFileAtomic(
  path: string,
  text: string,
  { exclusive = false, revision, claim }: WriteOptions = {},
  { calls = diskCalls(dirname(path)), folder }: Reach = {},
): Promise<void> {
  const directory = dirname(path)
  const temporary = temporaryPath(directory)
  try {
    await writeNew(calls, temporary, text, { mode: claim === undefined ? 0o600 : FINAL })
    for (const sibling of [revision, claim]) {
      if (sibling === undefined) continue
      // This comment keeps Next.js from deploying every file of the project because of this path.
      const claimPath = join(/* turbopackIgnore: true */ directory, sibling)
      await created(
        claimPath,
        linkOr(calls, temporary, claimPath, () => createFolderClaim(calls, claimPath, text)),
      )
    }
    if (exclusive)
      await created(
        path,
        linkOr(calls, temporary, path, () => writeNew(calls, path, text)),
      )
    else await calls.rename(temporary, path)
    if (exclusive) await removeIfThere(calls, temporary)
  } catch (error) {
    await removeIfThere(calls, temporary)
    throw error
  }
  await syncDirectory(calls, directory, folder)
  if (revision !== undefined && claim !== undefined) await removeClaim(calls, directory, revision)
}

/** The text is stored, and another claim says who was first. So a claim that stays does no harm. */
async function removeClaim(calls: DiskCalls, directory: string, name: string): Promise<void> {
  try {
    await calls.unlink(join(/* turbopackIgnore: true */ directory, name))
  } catch {
    // It may be a folder.
    await removeEntry(directory, name).catch(() => {})
  }
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
    if (!failedWith(error, NO_LINKS)) throw error
    await other()
  }
}

async function created(path: string, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    throw new AskError('CONFLICT', `The file ${basename(path)} exists already`, { facts: { path } })
  }
}
