import { AskError } from '@sandagent/core'
import { CLAIM_CONTENT } from '../../disk/folder-claim.ts'
import { type AnswerTexts, readAnswerText } from './read-answer-text.ts'

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
