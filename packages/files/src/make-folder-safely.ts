import { mkdir } from 'node:fs/promises'
import { safeFolder } from './safe-path.ts'

/**
 * Makes a folder below `root`, for this user alone (0700), and those above it that are missing. What is there already
 * is fine.
 *
 * @param path relative to `root`, `/` between names
 * @throws AskError `UNSAFE_PATH` when it, or a part of the way, is a link or no folder.
 */
export async function makeFolderSafely(root: string, path: string): Promise<void> {
  const folder = await safeFolder(root, path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Something may have been put there in between.
  await safeFolder(root, path)
}
