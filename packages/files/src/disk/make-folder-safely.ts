import { inFolder } from './open-beneath.ts'
import { namesOf } from './safe-path.ts'

/**
 * Makes a folder and its parents below `root`, if they are missing, for this user alone (0700).
 *
 * @param path relative to `root`, `/` between names
 * @throws AskError `UNSAFE_PATH` when a part of the path is a link or no folder.
 */
export const makeFolderSafely = async (root: string, path: string): Promise<void> =>
  inFolder(root, namesOf(path), async () => {}, { make: true })
