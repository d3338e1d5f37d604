import { AskError } from '@sandagent/core'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { CLAIM_CONTENT } from '../../disk/writing/folder-claim.ts'

/** The text of a claim, or `null`. Without hard links, a claim is a folder with a file: see `createFolderClaim`. */
export async function readClaim(files: Pick<SandboxFiles, 'read'>, path: string): Promise<string | null> {
  try {
    return await files.read(path)
  } catch (error) {
    if (error instanceof AskError && error.code === 'UNSAFE_PATH')
      return files.read(`${path}/${CLAIM_CONTENT}`)
    throw error
  }
}
