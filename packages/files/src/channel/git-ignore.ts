import { warningOf } from '@sandagent/core/internal'
import type { SandboxFiles } from '../disk/sandbox-files.ts'

/**
 * Makes Git ignore the state folder, with this very file. Otherwise `git stash -u` and `git clean -fd` would remove questions
 * that wait. Not everybody may write there, and nothing depends on it.
 */
export async function ignoreForGit(files: SandboxFiles, stateFolder: string): Promise<void> {
  const path = `${stateFolder}/.gitignore`
  try {
    if ((await files.read(path)) === null) await files.writeAtomic(path, '*\n', { exclusive: true })
  } catch (error) {
    warningOf(error)
  }
}
