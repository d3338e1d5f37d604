import { inFolder } from './open-beneath.ts'
import { namesOf } from './safe-path.ts'

/**
 * Makes a folder below `root`, for this user alone (0700), and those above it that are missing. What is there already
 * is fine.
 *
 * @param path relative to `root`, `/` between names
 * @throws AskError `UNSAFE_PATH` when it, or a part of the way, is a link or no folder.
 */
export const makeFolderSafely = async (root: string, path: string): Promise<void> =>
  inFolder(root, namesOf(path), async () => {}, { make: true })
