import { link, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { ensureDir } from 'fs-extra/esm'
import { errorCode } from '../lib/error-code.ts'
import { createFolderClaim } from './folder-claim.ts'
import { syncDirectory, temporaryPath, writeNew, writeSynced } from './write-synced.ts'

export interface WriteOptions {
  /** Only creates: of several writers, in whichever process, one succeeds. */
  exclusive?: boolean
  /**
   * The name of a sibling that is created first, with the same text. Of several writers one creates it, and only that
   * one replaces the file. A crash in between leaves the claim alone, see `readClaim`.
   */
  claim?: string
}

/**
 * Writes a file so that readers see the text before or the whole new text, also after a crash: a temporary
 * sibling is written, synced and renamed into place. Missing folders are made for this user alone (0700), and so
 * is the file (0600). A symbolic link at `path` is replaced, not followed. A killed writer leaves the sibling. It is hidden
 * and no larger than the text, and every reader ignores it.
 *
 * With a claim there is still one durable write. The claim is what must survive a power cut, and readers look there first.
 * The file is a copy with an inode of its own, because older writers overwrite it in place. The copy is written before the
 * claim is made, so a full disk is noticed before.
 *
 * @param options.exclusive where there are no hard links, readers may see a part of the text for a moment
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
      // Without the comment Next.js takes this path for a reason to deploy every file of the project.
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

/** How file systems say that they have no hard links: exFAT, SMB and FUSE mounts. */
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
