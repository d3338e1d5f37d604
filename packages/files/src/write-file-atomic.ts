import { randomUUID } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { ensureDir } from 'fs-extra/esm'
import { errorCode } from './error-code.ts'

/**
 * Writes a file so that readers see the text before or the whole new text, also after a crash: a temporary
 * sibling is written, synced and renamed into place. Missing folders are made for this user alone (0700), and so
 * is the file (0600). A symbolic link at `path` is replaced, not followed.
 *
 * @param options.exclusive only creates: of several writers one succeeds
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
    // rename() replaces whatever is there; link() is the one that fails when something is.
    await (exclusive ? link(temporary, path) : rename(temporary, path))
  } catch (error) {
    if (exclusive && errorCode(error) === 'EEXIST')
      throw new AskError('CONFLICT', 'The file exists already', { facts: { path } })
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
  await syncDirectory(directory)
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
