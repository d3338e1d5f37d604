import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AskError, errorCode, failedWith } from '@sandagent/core/internal'
import { below } from '../lib/disk-calls.ts'
import { type Give, type OwnerOf, ownersGive, readersGive } from './access.ts'
import { atFile, type Folder, inFolder, unsafePath } from './folder.ts'
import { createFolderClaim } from './folder-claim.ts'
import { temporaryName, writeNew } from './new-file.ts'
import { removeEntry, removeLeftovers } from './removal.ts'
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
  const at = (entry: string): string => below(folder.path, entry)
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

/** Opening a FIFO fails without a reader, and a link would lead elsewhere. Windows has neither flag. */
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Writes bytes into a file below `root`, see `SandboxFiles.writeAt`. */
export const writeBytesAt = (
  root: string,
  path: string,
  {
    bytes,
    offset,
    ownerOf,
    reader,
  }: { bytes: Uint8Array; offset: number; ownerOf: OwnerOf | undefined } & Pick<WriteOptions, 'reader'>,
): Promise<void> =>
  atFile(
    root,
    path,
    async (folder, name) => {
      const file = await open(join(folder.path, name), WRITE, 0o600)
      try {
        if (!(await file.stat()).isFile()) throw unsafePath(path, 'it is no regular file')
        for (let at = 0; at < bytes.length; )
          at += (await file.write(bytes, at, bytes.length - at, offset + at)).bytesWritten
        await file.datasync()
        const owner = ownerOf?.(path)
        const give =
          owner || reader === undefined
            ? owner && ownersGive(owner)
            : await readersGive(folder.calls, join(root, reader), join(root, path))
        give?.(file.fd, 0o600)
        if (!owner) give?.(folder.opened, 0o700)
      } finally {
        await file.close()
      }
    },
    { make: true, ownerOf },
  )

/** Gives a file below `root` another name in its folder, see `SandboxFiles.rename`. */
export const renameFile = (root: string, path: string, name: string): Promise<void> =>
  atFile(root, path, async (folder, before) => {
    try {
      await folder.calls.rename(join(folder.path, before), join(folder.path, basename(name)))
    } catch (error) {
      // It was renamed before, by a request whose reply was lost.
      const isDone =
        errorCode(error) === 'ENOENT' && (await folder.calls.lstat(join(folder.path, basename(name))))
      if (!isDone) throw error
    }
    await syncFolder(folder.calls, folder.opened)
    await removeLeftovers(folder, basename(name), join(root, dirname(path)))
  })
