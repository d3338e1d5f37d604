import { isUtf8 } from 'node:buffer'
import { basename } from 'node:path'
import { AskError } from '@sandagent/core/internal'
import { CLAIM_CONTENT } from '../../disk/folder-claim.ts'
import type { RunFiles, SandboxFiles } from '../../disk/sandbox-files.ts'

/** `readFrom` gives the bytes of a text. Without it, other encodings are not noticed. */
export type AnswerTexts = Pick<SandboxFiles, 'read'> & Partial<Pick<RunFiles, 'readFrom'>>

/**
 * The text of an answer file or claim, `null` if it is missing. An answer in another encoding would reach the agent with
 * other letters, so it is refused.
 *
 * @throws AskError `INVALID_FILE` when the file is no UTF-8, or as `files.read` does
 */
export async function readAnswerText(files: AnswerTexts, path: string): Promise<string | null> {
  const text = await files.read(path)
  // Files are read with replacement characters. A person may have typed one, too: only the bytes tell.
  if (!text?.includes('\ufffd') || !files.readFrom) return text
  const bytes = await files.readFrom(path, 0)
  if (bytes && !isUtf8(bytes))
    throw new AskError(
      'INVALID_FILE',
      `The file ${basename(path)} is no UTF-8. Write it again in this encoding`,
      { facts: { path } },
    )
  // The file may have been replaced between the text and the bytes.
  return (await files.read(path)) === text ? text : readAnswerText(files, path)
}

/** The text of a claim, or `null`. Without hard links, a claim is a folder with a file: see `createFolderClaim`. */
export async function readClaim(files: AnswerTexts, path: string): Promise<string | null> {
  try {
    return await readAnswerText(files, path)
  } catch (error) {
    if (error instanceof AskError && error.code === 'UNSAFE_PATH')
      return readAnswerText(files, `${path}/${CLAIM_CONTENT}`)
    throw error
  }
}
