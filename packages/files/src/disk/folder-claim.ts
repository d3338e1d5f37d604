import { join } from 'node:path'
import type { Give } from './access.ts'
import { type Folder, inFolder } from './folder.ts'
import { temporaryName, writeNew } from './new-file.ts'
import { removeEntry } from './removal.ts'
import { syncFolder } from './sync.ts'

/** The file in a claim that is a folder. */
export const CLAIM_CONTENT = 'claim.json'

/**
 * Creates a claim as a folder with the text in it. A rename never replaces a folder that has content. So one of several
 * writers succeeds, and a crash never leaves an incomplete claim.
 *
 * @throws the system's `ENOTEMPTY`, `EEXIST` or `ENOTDIR` when the claim exists.
 */
export async function createFolderClaim(
  folder: Folder,
  path: string,
  text: string,
  give: Give | undefined,
): Promise<void> {
  const { calls } = folder
  const temporary = temporaryName()
  const fill = async (claim: Folder): Promise<void> => {
    give?.(claim.opened, 0o700)
    await writeNew(calls, join(claim.path, CLAIM_CONTENT), text, { give })
    await syncFolder(calls, claim.opened)
  }
  try {
    await inFolder(folder.path, temporary, fill, { make: true, calls })
    await calls.rename(join(folder.path, temporary), path)
  } finally {
    await removeEntry(folder, temporary)
  }
}
