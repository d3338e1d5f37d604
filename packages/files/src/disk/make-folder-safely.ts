import type { OwnerOf } from './access.ts'
import { inFolder } from './folder.ts'
import { namesOf } from './safe-path.ts'

/**
 * Makes a folder and its parents below `root`, if they are missing, for their owners alone (0700).
 *
 * @param path relative to `root`, `/` between names
 * @param ownerOf the owners of new folders. Default: the user of this process
 * @throws AskError `UNSAFE_PATH` when a part of the path is a link or no folder.
 */
export const makeFolderSafely = async (root: string, path: string, ownerOf?: OwnerOf): Promise<void> =>
  inFolder(root, namesOf(path), async () => {}, { make: true, ownerOf })
