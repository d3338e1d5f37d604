import type { OnWarning } from '@sandagent/core'
import {
  type AnswerFile,
  AskError,
  mayChange,
  parseAnswerFile,
  type QuestionRecord,
  warningOf,
} from '@sandagent/core/internal'
import type { Candidates } from '@sandagent/core/store'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { claimFileName, revisionClaimName } from '../file-paths.ts'
import type { QuestionFile } from '../question-file.ts'
import { readClaim } from './read-claim.ts'
import { latestRevision } from './revisions.ts'

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
  accept: NonNullable<Candidates['accept']>
}

/** Only a recorded question has revisions that are claimed: its nonce tells them from those of an earlier one. */
interface Asked {
  record: QuestionRecord
}

/** Reads the claims of a folder, see `createAnswerStore`. */
export interface Claims {
  /** The stored answer file, if it is for the question. */
  counted(stored: StoredAnswerFile | null, options: ClaimOptions): Promise<StoredAnswerFile | null>
  /** Where the final answer file of this question is claimed, and who claimed it. */
  finalClaim(file: QuestionFile, options: ClaimOptions): Promise<FoundClaim>
  /** The claim of a revision, by its number. */
  revisionClaim(file: QuestionFile, number: number, options: ClaimOptions & Asked): Promise<FoundClaim>
  /** The answer file of the last revision that was claimed, or the one shown if none is newer. */
  latestOf(
    file: QuestionFile,
    shown: StoredAnswerFile | null,
    options: ClaimOptions & Asked,
  ): Promise<StoredAnswerFile | null>
}

export function createClaims(files: SandboxFiles, folder: string): Claims {
  const counted = async (
    stored: StoredAnswerFile | null,
    { record, accept }: ClaimOptions,
  ): Promise<StoredAnswerFile | null> => {
    const answerFile = stored && (await accept(stored.answerFile, record))
    return answerFile && { ...stored, answerFile }
  }

  const claimAt = async (
    name: string,
    { toolCallId }: QuestionFile,
    options: ClaimOptions,
  ): Promise<FoundClaim> => {
    const { warn } = options
    const text = await readClaim(files, `${folder}/${name}`).catch((error: unknown) => {
      if (!(error instanceof AskError) || error.code !== 'INVALID_FILE') throw error
      warn(warningOf(error, toolCallId))
      return undefined
    })
    // Runners pass over it, too.
    if (text === undefined) return { name, first: null, isPassedOver: true }
    const first = text === null ? null : await counted(parsedClaim(text, toolCallId, warn), options)
    return { name, first, isPassedOver: text !== null && first === null }
  }

  const revisionClaim = async (
    file: QuestionFile,
    number: number,
    options: ClaimOptions & Asked,
  ): Promise<FoundClaim> => {
    const name = revisionClaimName(file.fileName, options.record.nonce, number)
    const claim = await claimAt(name, file, options)
    // An agent may have put an older one there.
    return claim.first && (claim.first.answerFile.revision ?? 0) < number
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
    revisionClaim,
    async latestOf(file, shown, options) {
      if (shown && !mayChange(shown.answerFile)) return shown
      const revisions = { files, folder, fileName: file.fileName, nonce: options.record.nonce }
      const { revision } = shown?.answerFile ?? {}
      const latest = await latestRevision(revisions, revision ?? 0, async (number) => {
        const { first, isPassedOver } = await revisionClaim(file, number, options)
        return first ?? (isPassedOver ? null : undefined)
      })
      if (!latest || !shown || revision !== undefined) return latest ?? shown
      // An older host has replaced our file, and knows no revisions.
      return { ...shown, answerFile: { ...shown.answerFile, revision: latest.answerFile.revision ?? 0 } }
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
