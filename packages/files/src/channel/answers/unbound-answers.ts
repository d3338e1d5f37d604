import {
  digestOf,
  EVERY_UNBOUND_ANSWER,
  isFileFault,
  parseAnswerFile,
  warningOf,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { claimFileName } from '../paths.ts'
import { answerFileNames, textOf } from './find-answer.ts'

/**
 * What a new record notes in `passedOver`: the digests of stored answers without a nonce. They were stored before the
 * question was asked, so they are not for it.
 *
 * @param isMissing tells of most files that they are missing, which takes a tenth of the time of reading them
 */
export async function unboundAnswers(
  files: SandboxFiles,
  folder: string,
  toolCallId: string,
  isMissing: (path: string) => Promise<boolean>,
): Promise<string[]> {
  const passedOver = new Set<string>()
  const { claims, published } = answerFileNames({ toolCallId, record: undefined })
  // A host uses the second name if no question is recorded and the first claim is torn.
  for (const name of [...claims, claimFileName(published, ''), published]) {
    const path = `${folder}/${name}`
    try {
      const text = (await isMissing(path)) ? null : await textOf(files, path)
      const answerFile = text === null ? null : parseAnswerFile(text, toolCallId)
      if (answerFile && answerFile.nonce === undefined) passedOver.add(digestOf(answerFile))
    } catch (error) {
      warningOf(error)
      if (!isFileFault(error)) passedOver.add(EVERY_UNBOUND_ANSWER)
    }
  }
  return [...passedOver]
}
