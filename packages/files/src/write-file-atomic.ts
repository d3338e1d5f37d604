import { randomUUID } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { ensureDir } from 'fs-extra/esm'
import { errorCode } from './error-code.ts'

/**
 * Writes a file so that readers see the text before or the whole new text, also after a crash: a temporary
 * sibling is written, synced and renamed into place. Missing folders are made for this user alone (0700), and so
 * is the file (0600). A symbolic link at `path` is replaced, not followed. Who is killed in between leaves the sibling:
 * hidden, no larger than the text, and passed over by every reader.
 *
 * @param options.exclusive only creates: of several writers one succeeds. Where there are no hard links, readers may see
 *   a part of the text for a moment.
 * @throws AskError `CONFLICT` when `exclusive` and the file exists.
 */
export async function writeFileAtomic(
  path: string,
  text: string,
  { exclusive = false }: { exclusive?: boolean } = {},
): Promise<void> {
  const directory = dirname(path)
  await ensureDir(directory, { mode: 0o700 })
  const temporary = join(directory, `.${randomUUID()}.tmp`)
  try {
    await writeSynced(temporary, text)
    await (exclusive ? linkOrCreate(temporary, path, text) : rename(temporary, path))
  } catch (error) {
    if (exclusive && errorCode(error) === 'EEXIST')
      throw new AskError('CONFLICT', 'The file exists already', { facts: { path } })
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
  await syncDirectory(directory)
}

/** How file systems say that they have no hard links: exFAT, SMB and FUSE mounts. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * rename() replaces whatever is there; link() is the one that fails when something is. Where there are no links the
 * file is created under its own name. Still one writer succeeds, but a reader may see half of the text for a moment,
 * and a crash in that moment leaves the half: readers take it for unreadable and look again.
 */
async function linkOrCreate(temporary: string, path: string, text: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    if (!NO_LINKS.includes(errorCode(error) ?? '')) throw error
    await writeSynced(path, text)
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Until the folder is synced, a power cut can undo the rename. Windows syncs no folders and needs none. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
