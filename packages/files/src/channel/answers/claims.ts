import type { OnWarning } from '@sandagent/core'
import {
  type AnswerFile,
  AskError,
  type Authenticate,
  isMeantFor,
  parseAnswerFile,
  type QuestionRecord,
  votesNeeded,
  warningOf,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { claimFileName, revisionClaimName } from '../paths.ts'
import type { QuestionFile } from '../question-file.ts'
import { readClaim } from './read-claim.ts'

export interface StoredAnswerFile {
  text: string
  answerFile: AnswerFile
}

/** The place of a claim, and who claimed it. */
export interface FoundClaim {
  name: string
  first: StoredAnswerFile | null
  /** Whether something is there that does not count. */
  isPassedOver: boolean
}

/** Where claims are looked for, and by which record they count. */
export interface ClaimOptions {
  record: QuestionRecord | null
  warn: OnWarning
}

/** Whether each revision of an answer file is claimed: that two hosts write at once must lose no vote. */
const hasRevisionClaims = ({ rule, votes }: AnswerFile): boolean =>
  votes !== undefined && votesNeeded(rule) > 1

/** Reads the claims of a folder, see `createAnswerStore`. */
export function createClaims(
  files: SandboxFiles,
  folder: string,
  authenticate: Authenticate,
): {
  /** The stored answer file, if it is for the question. */
  counted(stored: StoredAnswerFile | null, record: QuestionRecord | null): Promise<StoredAnswerFile | null>
  /** Where the final answer file of this question is claimed, and who claimed it. */
  finalClaim(file: QuestionFile, options: ClaimOptions): Promise<FoundClaim>
  /** The claim of the revision of an answer file; `null` if it needs none. */
  ownClaim(file: QuestionFile, answerFile: AnswerFile, options: ClaimOptions): Promise<FoundClaim | null>
  /** The answer file of the last revision that was claimed. */
  latestOf(
    file: QuestionFile,
    shown: StoredAnswerFile | null,
    options: ClaimOptions,
  ): Promise<StoredAnswerFile | null>
} {
  const counted = async (
    stored: StoredAnswerFile | null,
    record: QuestionRecord | null,
  ): Promise<StoredAnswerFile | null> => {
    if (!stored || !record) return stored
    const answerFile = isMeantFor(stored.answerFile, record)
      ? await authenticate(stored.answerFile, record)
      : null
    return answerFile && { ...stored, answerFile }
  }

  const claimAt = async (
    name: string,
    { toolCallId }: QuestionFile,
    { record, warn }: ClaimOptions,
  ): Promise<FoundClaim> => {
    const text = await readClaim(files, `${folder}/${name}`).catch((error: unknown) => {
      if (!(error instanceof AskError) || error.code !== 'INVALID_FILE') throw error
      warn(warningOf(error, toolCallId))
      return undefined
    })
    // Runners pass over it, too.
    if (text === undefined) return { name, first: null, isPassedOver: true }
    const first = text === null ? null : await counted(parsedClaim(text, toolCallId, warn), record)
    return { name, first, isPassedOver: text !== null && first === null }
  }

  const revisionClaim = async (
    file: QuestionFile,
    revision: number,
    options: ClaimOptions & { record: QuestionRecord },
  ): Promise<FoundClaim> => {
    const name = revisionClaimName(file.fileName, options.record.nonce, revision)
    const claim = await claimAt(name, file, options)
    return claim.first && claim.first.answerFile.revision !== revision
      ? { name, first: null, isPassedOver: true }
      : claim
  }

  return {
    counted,
    async finalClaim(file, options) {
      const claim = await claimAt(claimFileName(file.fileName), file, options)
      const { record } = options
      return claim.isPassedOver
        ? claimAt(claimFileName(file.fileName, record?.nonce ?? ''), file, options)
        : claim
    },
    async ownClaim(file, answerFile, { record, warn }) {
      if (!record || !hasRevisionClaims(answerFile)) return null
      return revisionClaim(file, answerFile.revision ?? 0, { record, warn })
    },
    async latestOf(file, shown, { record, warn }) {
      let latest = shown
      while (latest && record && hasRevisionClaims(latest.answerFile)) {
        const next = (latest.answerFile.revision ?? 0) + 1
        const { first } = await revisionClaim(file, next, { record, warn })
        if (!first) break
        latest = first
      }
      return latest
    },
  }
}

/** Parses a claim. A torn claim is a warning. @throws AskError for a claim of another tool call, or of a later version. */
function parsedClaim(text: string, toolCallId: string | undefined, warn: OnWarning): StoredAnswerFile | null {
  try {
    return { text, answerFile: parseAnswerFile(text, toolCallId) }
  } catch (error) {
    if (error instanceof AskError && (error.code === 'UNREACHABLE' || error.facts.toolCallId !== undefined))
      throw error
    warn(warningOf(error, toolCallId))
    return null
  }
}
