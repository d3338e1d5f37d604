import { warningOf } from '@sandagent/core/internal'
import type { OwnerOf } from './access.ts'
import { isMissing } from './is-missing.ts'
import { makeFolderSafely } from './make-folder-safely.ts'

/** Makes a folder if this process may do so. Calls that overlap share the work. */
export function createFolderMaker(root: string, path: string, ownerOf?: OwnerOf): () => Promise<void> {
  let present: Promise<void> | null = null
  const make = async (): Promise<void> => {
    try {
      if (await isMissing(root, path)) await makeFolderSafely(root, path, ownerOf)
    } catch (error) {
      warningOf(error)
    } finally {
      present = null
    }
  }
  return () => {
    present ??= make()
    return present
  }
}
