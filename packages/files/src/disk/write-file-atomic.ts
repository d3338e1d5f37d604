import { link, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { ensureDir } from 'fs-extra/esm'
import { errorCode } from '../lib/error-code.ts'
import { createFolderClaim } from './folder-claim.ts'
import { syncDirectory, temporaryPath, writeNew, writeSynced } from './write-synced.ts'

export interface WriteOptions {
  /** Only creates: one of several writers, in all processes, succeeds. */
  exclusive?: boolean
  /**
   * The name of a sibling that is created first, with the same text. Of several writers one creates it, and only that
   * one replaces the file. After a crash in between, only the claim exists: readers look there first.
   */
  claim?: string
}

/**
 * Writes a file so that readers see the old text or the new text, also after a crash: a temporary sibling is synced and then
 * renamed. The file is for this user alone (0600), and so are missing folders (0700). A link at `path` is replaced.
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
): Promise<void> {
  const directory = dirname(path)
  await ensureDir(directory, { mode: 0o700 })
  const temporary = temporaryPath(directory)
  const copy = claim === undefined ? null : temporaryPath(directory)
  try {
    await writeSynced(temporary, text)
    if (copy !== null) await writeNew(copy, text)
    if (claim !== undefined) {
      // This comment keeps Next.js from deploying every file of the project because of this path.
      const claimPath = join(/* turbopackIgnore: true */ directory, claim)
      await created(
        claimPath,
        linkOr(temporary, claimPath, () => createFolderClaim(claimPath, text)),
      )
    }
    if (exclusive)
      await created(
        path,
        linkOr(temporary, path, () => writeSynced(path, text)),
      )
    else await rename(copy ?? temporary, path)
  } finally {
    await rm(temporary, { force: true })
    if (copy !== null) await rm(copy, { force: true })
  }
  await syncDirectory(directory)
}

/** The error codes of file systems without hard links: exFAT, SMB and FUSE mounts. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** rename() replaces an existing file; link() fails. Without hard links `other` is used. */
async function linkOr(temporary: string, path: string, other: () => Promise<void>): Promise<void> {
  try {
    await link(temporary, path)
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
