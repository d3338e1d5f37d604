import type { OnWarning } from '@sandagent/core'
import { AskError, mayChange, parseAnswerFile, warningOf } from '@sandagent/core/internal'
import type { SandboxFiles, WriteOptions } from '../../disk/sandbox-files.ts'
import type { QuestionFile } from '../question-file.ts'
import type { ClaimOptions, Claims, FoundClaim, StoredAnswerFile } from './claims.ts'
import { readAnswerText } from './read-answer-text.ts'

/** The answer file that counts, and whether publishing it failed. */
export interface FoundAnswerFile extends StoredAnswerFile {
  unpublished?: true
}

/** All that is there for a question. */
interface Looked {
  final: FoundClaim
  /** The answer file that counts. */
  found: StoredAnswerFile | null
  /** Whether `NAME.json` shows it. */
  isShown: boolean
}

/** Where runners look for answers: `NAME.json`. */
export interface PublishedAnswers {
  look(file: QuestionFile, options: ClaimOptions): Promise<Looked>
  /** Reads the answer file that counts. A final one is published if it is not. */
  read(file: QuestionFile, options: ClaimOptions): Promise<FoundAnswerFile | null>
  /** Publishes a final answer, and claims it if nobody has. Whether it is the answer that counts. */
  publish(
    file: QuestionFile,
    text: string,
    options: { final: FoundClaim; revision?: string },
  ): Promise<boolean>
  /**
   * Publishes the latest answer file, and returns it. A slower host may put an older one there at any moment: it does the same
   * then.
   *
   * @param atLeast was claimed, and perhaps never published
   */
  publishLatest(
    file: QuestionFile,
    options: ClaimOptions,
    atLeast?: StoredAnswerFile,
  ): Promise<StoredAnswerFile | null>
  /** Writes a file of the folder. `false` when what only one writer creates exists. */
  creates(fileName: string, text: string, options: WriteOptions): Promise<boolean>
}

export function createPublishedAnswers(
  files: SandboxFiles,
  folder: string,
  { counted, finalClaim, latestOf }: Claims,
): PublishedAnswers {
  const shownIn = async (
    { fileName, toolCallId }: QuestionFile,
    warn: OnWarning,
  ): Promise<StoredAnswerFile | null> => {
    try {
      const text = await readAnswerText(files, `${folder}/${fileName}`)
      return text === null ? null : { text, answerFile: parseAnswerFile(text, toolCallId) }
    } catch (error) {
      if (!(error instanceof AskError) || error.code === 'UNREACHABLE') throw error
      warn(warningOf(error, toolCallId))
      return null
    }
  }

  const creates: PublishedAnswers['creates'] = async (fileName, text, options) => {
    try {
      await files.writeAtomic(`${folder}/${fileName}`, text, options)
      return true
    } catch (error) {
      if (error instanceof AskError && error.code === 'CONFLICT') return false
      throw error
    }
  }

  const look: PublishedAnswers['look'] = async (file, options) => {
    const { record, warn } = options
    const final = await finalClaim(file, options)
    const shown = await shownIn(file, warn)
    const read = final.first ?? (await counted(shown, options))
    // Where nothing is shown, nothing that was claimed is acknowledged.
    const found = final.first || !shown || !record ? read : await latestOf(file, read, { ...options, record })
    return { final, found, isShown: found?.text === shown?.text }
  }

  const publish: PublishedAnswers['publish'] = async (file, text, { final, revision }) => {
    if (!final.first)
      return creates(file.fileName, text, { ...(revision !== undefined && { revision }), claim: final.name })
    await files.writeAtomic(`${folder}/${file.fileName}`, text)
    return true
  }

  const read: PublishedAnswers['read'] = async (file, options) => {
    const { final, found, isShown } = await look(file, options)
    if (!found || (!final.first && mayChange(found.answerFile)) || isShown) return found
    try {
      // Its host may have claimed the last revision only.
      if (!(await publish(file, found.text, { final }))) return read(file, options)
      return found
    } catch (error) {
      // The claim counts even if it cannot be published now. The next read tries again.
      options.warn(warningOf(error, file.toolCallId))
      return { ...found, unpublished: true }
    }
  }

  return {
    look,
    read,
    publish,
    creates,
    async publishLatest(file, options, atLeast) {
      for (;;) {
        const { final, found, isShown } = await look(file, options)
        const latest = found ?? atLeast
        if (!latest || (found && isShown)) return found
        if (mayChange(latest.answerFile)) await files.writeAtomic(`${folder}/${file.fileName}`, latest.text)
        else await publish(file, latest.text, { final })
      }
    },
  }
}
