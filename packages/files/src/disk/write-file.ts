import { basename, dirname, join } from 'node:path'
import { AskError, failedWith } from '@sandagent/core/internal'
import type { Give } from './access.ts'
import { type Folder, inFolder } from './folder.ts'
import { createFolderClaim } from './folder-claim.ts'
import { temporaryName, writeNew } from './new-file.ts'
import { removeEntry } from './removal.ts'
import type { WriteOptions } from './sandbox-files.ts'
import { syncFolder } from './sync.ts'

/** Windows cannot replace a file that nobody may write to. */
const FINAL = process.platform === 'win32' ? 0o600 : 0o400

/** The error codes of file systems without hard links: exFAT, SMB and FUSE mounts. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** The error codes of creating what is there. */
const TAKEN = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR']

/**
 * Writes a file so that readers see the old text or the new text, also after a crash: a temporary sibling is synced and then
 * renamed. The file is for this user alone (0600). Its folder must exist. A link at `path` is replaced.
 *
 * @throws AskError `CONFLICT` as {@link writeIn} does.
 */
export const writeFileAtomic = (path: string, text: string, options?: WriteOptions): Promise<void> =>
  inFolder(dirname(path), '.', (folder) => writeIn(folder, basename(path), text, options))

/**
 * Writes a file of a folder as {@link writeFileAtomic} does.
 *
 * With a claim there is still one file, under both names. Nobody may write to it (0400), because older writers overwrite
 * answer files in place: they would overwrite the claim, too.
 *
 * @param options.exclusive without hard links, readers may see a part of the text for a moment
 * @param give makes what is created readable for others
 * @throws AskError `CONFLICT` when `exclusive` and the file exists, or when a sibling of that name does.
 */
export async function writeIn(
  folder: Folder,
  name: string,
  text: string,
  { exclusive = false, revision, claim }: WriteOptions = {},
  give?: Give,
): Promise<void> {
  const { calls } = folder
  // This comment keeps Next.js from deploying every file of the project because of this path.
  const at = (entry: string): string => join(/* turbopackIgnore: true */ folder.path, entry)
  const temporary = temporaryName()
  /** rename() replaces an existing file; link() fails. */
  const create = async (entry: string, withoutLinks: (path: string) => Promise<void>): Promise<void> => {
    const path = at(entry)
    try {
      try {
        await calls.link(at(temporary), path)
      } catch (error) {
        if (!failedWith(error, NO_LINKS)) throw error
        await withoutLinks(path)
      }
    } catch (error) {
      if (!failedWith(error, TAKEN)) throw error
      throw new AskError('CONFLICT', `The file ${entry} exists already`, { facts: { path } })
    }
  }
  try {
    await writeNew(calls, at(temporary), text, { mode: claim === undefined ? 0o600 : FINAL, give })
    for (const sibling of [revision, claim])
      if (sibling !== undefined) await create(sibling, (path) => createFolderClaim(folder, path, text, give))
    if (exclusive) await create(name, (path) => writeNew(calls, path, text, { give }))
    else await calls.rename(at(temporary), at(name))
  } catch (error) {
    await removeEntry(folder, temporary)
    throw error
  }
  if (exclusive) await removeEntry(folder, temporary)
  await syncFolder(calls, folder.opened)
  // The text is stored, and another claim says who was first. So a claim that stays does no harm.
  if (revision !== undefined && claim !== undefined) await removeEntry(folder, revision).catch(() => {})
}
