// Why it is so: docs/decisions/0011-the-first-final-answer-wins.md

import {
  type AnswerFile,
  isMeantFor,
  mayChange,
  parseAnswerFile,
  type QuestionRecord,
} from '@sandagent/core/internal'
import type { Candidates } from '@sandagent/core/store'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { claimFileName, revisionClaimName } from '../file-paths.ts'
import type { QuestionFile } from '../question-file.ts'
import { readAnswerText, readClaim } from './answer-text.ts'
import { lastRevision } from './revisions.ts'

export interface StoredAnswerFile {
  text: string
  answerFile: AnswerFile
}

/** The name by which the final answer is claimed, and the answer that has claimed it. */
export interface FinalClaim {
  name: string
  first: StoredAnswerFile | null
}

/** How the answer to a question is told from other files. */
export interface JudgeOptions {
  record: QuestionRecord | null
  accept: NonNullable<Candidates['accept']>
  /** Called for a file that cannot be read, which is passed over then. What it throws ends the look. */
  onFault: (error: unknown, isClaim: boolean) => void
  /**
   * Whether a final answer counts that only the claim of its revision has. A host then claims it as the final one. A runner
   * waits for that: an older host knows no claims of revisions, and may have been first.
   */
  mayPublish: boolean
}

/** The files that may hold the answer to one question, and which of them counts, for hosts and for runners. */
export interface AnswersTo {
  finalClaim(): Promise<FinalClaim>
  /** What `NAME.json` shows, whether it counts or not. `null` if it shows nothing. */
  shown(): Promise<StoredAnswerFile | null>
  /** What counts where no answer is claimed as final. */
  latest(shown: StoredAnswerFile | null): Promise<StoredAnswerFile | null>
  /** The answer file that has claimed a revision: `null` for one that does not count, `undefined` if nobody has. */
  revision(number: number): Promise<StoredAnswerFile | null | undefined>
  /** The answer file of the last revision that was claimed after another one. */
  lastRevision(after: number): Promise<StoredAnswerFile | null>
}

export function answersTo(
  files: SandboxFiles,
  folder: string,
  { fileName, toolCallId }: QuestionFile,
  { record, accept, onFault, mayPublish }: JudgeOptions,
): AnswersTo {
  const nonce = record?.nonce ?? ''

  /** `undefined` for a file that is not there, `null` for one that cannot be read. */
  const readAt = async (name: string): Promise<StoredAnswerFile | null | undefined> => {
    try {
      const text = await (name === fileName ? readAnswerText : readClaim)(files, `${folder}/${name}`)
      return text === null ? undefined : { text, answerFile: parseAnswerFile(text, toolCallId) }
    } catch (error) {
      onFault(error, name !== fileName)
      return null
    }
  }

  const counted = async (stored: StoredAnswerFile | null): Promise<StoredAnswerFile | null> => {
    const answerFile = stored && (await accept(stored.answerFile, record))
    return answerFile && { text: stored.text, answerFile }
  }

  /** `undefined` for a claim that nobody made, `null` for one that does not count: an agent may have put it there. */
  const claimAt = async (
    name: string,
    isPlaced: (answerFile: AnswerFile) => boolean,
  ): Promise<StoredAnswerFile | null | undefined> => {
    const claim = await readAt(name)
    if (claim === undefined) return undefined
    // One for an earlier question is no fault, so `accept` does not see it.
    const isOther = claim && record && !isMeantFor(claim.answerFile, record)
    const found = isOther ? null : await counted(claim)
    return found && isPlaced(found.answerFile) ? found : null
  }

  const revision: AnswersTo['revision'] = (number) =>
    claimAt(
      revisionClaimName(fileName, nonce, number),
      (answerFile) => (answerFile.revision ?? 0) >= number && (mayPublish || mayChange(answerFile)),
    )

  const last: AnswersTo['lastRevision'] = (after) =>
    lastRevision({ files, folder, fileName, nonce }, after, revision)

  return {
    revision,
    lastRevision: last,
    async finalClaim() {
      const isFinal = (answerFile: AnswerFile): boolean => !mayChange(answerFile)
      const [name, second] = finalClaimNames(fileName, record)
      const first = await claimAt(name, isFinal)
      return first === null
        ? { name: second, first: (await claimAt(second, isFinal)) ?? null }
        : { name, first: first ?? null }
    },
    shown: async () => (await readAt(fileName)) ?? null,
    async latest(shown) {
      const published = await counted(shown)
      const isOver = published && !mayChange(published.answerFile)
      // Where nothing is shown, nothing that was claimed is acknowledged.
      if (!shown || !record || isOver) return published
      const { revision: number } = published?.answerFile ?? {}
      const latest = await last(number ?? 0)
      if (!latest || !published || number !== undefined) return latest ?? published
      // An older host has replaced our file, and knows no revisions.
      const { revision: reached = 0 } = latest.answerFile
      return { ...published, answerFile: { ...published.answerFile, revision: reached } }
    },
  }
}

/** The names by which a final answer may be claimed. Nobody claims by the second one before the first is taken. */
export function finalClaimNames(fileName: string, record: QuestionRecord | null): [string, string] {
  return [claimFileName(fileName), claimFileName(fileName, record?.nonce ?? '')]
}
