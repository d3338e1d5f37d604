import { warningOf } from '@sandagent/core/internal'
import type { OwnerOf } from '../disk/access.ts'
import { createFileSafely } from '../disk/create-file.ts'
import { isMissing } from '../disk/disk-calls.ts'

/**
 * Makes Git ignore the state folder, with this very file. Otherwise `git stash -u` and `git clean -fd` would remove questions
 * that wait. Not everybody may write there, and nothing depends on it.
 */
export async function ignoreForGit(root: string, stateFolder: string, ownerOf: OwnerOf): Promise<void> {
  const path = `${stateFolder}/.gitignore`
  try {
    if (!(await isMissing(root, path))) return
    const file = await createFileSafely(root, path, ownerOf)
    try {
      await file.writeFile('*\n')
    } finally {
      await file.close()
    }
  } catch (error) {
    warningOf(error)
  }
}
