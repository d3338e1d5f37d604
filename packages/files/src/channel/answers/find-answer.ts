import {
  type AnswerFile,
  AskError,
  fileNameOf,
  isFinal,
  isMeantFor,
  isSettled,
  mayChange,
  parseAnswerFile,
  type QuestionRecord,
  warningOf,
} from '@sandagent/core/internal'
import type { Candidates, FoundAnswer } from '@sandagent/core/store'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { claimFileName, revisionClaimName } from '../file-paths.ts'
import { readAnswerText } from './read-answer-text.ts'
import { readClaim } from './read-claim.ts'
import { latestRevision } from './revisions.ts'

/** A question whose answer is looked for. A process that did not ask it does not know its record. */
export interface LookedFor {
  toolCallId: string
  record: QuestionRecord | undefined
}

/** The names of the files that may hold the answer to a question. Earlier ones count first. */
export function answerFileNames({ toolCallId, record }: LookedFor): { claims: string[]; published: string } {
  const published = fileNameOf(toolCallId)
  const nonces = [undefined, record?.nonce ?? '']
  return { claims: nonces.map((nonce) => claimFileName(published, nonce)), published }
}

/**
 * Looks for the answer to a question in the files of a host. A claim counts before the published file: the host may have
 * stopped between the two, or an overdue draft may have replaced the published answer.
 */
export async function findAnswer(
  files: SandboxFiles,
  folder: string,
  question: LookedFor,
  accepts: NonNullable<Candidates['accept']>,
): Promise<FoundAnswer> {
  const { toolCallId, record } = question
  const accept = (answerFile: AnswerFile): Promise<AnswerFile | null> => accepts(answerFile, record ?? null)
  const found: FoundAnswer = { answerFile: null, isUnknown: false }

  /** `undefined` for a file that is not there, `null` for one that cannot be read. */
  const read = async (name: string): Promise<AnswerFile | null | undefined> => {
    try {
      const text = await textOf(files, `${folder}/${name}`)
      return text === null ? undefined : parseAnswerFile(text, toolCallId)
    } catch (error) {
      found.warning = warningOf(error, toolCallId)
      found.isUnknown ||= !(error instanceof AskError) || error.code === 'UNREACHABLE'
      return null
    }
  }

  const { claims, published } = answerFileNames(question)
  for (const name of claims) {
    const claim = await read(name)
    if (claim === undefined) break // Nobody claims under the second name before the first is taken.
    const counts = claim !== null && isFinal(claim) && (!record || isMeantFor(claim, record))
    found.answerFile = counts ? await accept(claim) : null
    if (found.answerFile) return found
  }
  if (record && isSettled(record) && record.revision !== undefined) {
    // The answer that the receipt names. One that came too late may have taken its place.
    const taken = await read(revisionClaimName(published, record.nonce, record.revision))
    const counts = taken?.revision === record.revision && isMeantFor(taken, record)
    found.answerFile = counts ? await accept(taken) : null
    if (found.answerFile) return found
  }
  const shown = (await read(published)) ?? null
  const { nonce, revision = 0 } = shown ?? {}
  if (shown && mayChange(shown) && nonce !== undefined && nonce === record?.nonce) {
    // A slow host can put an older draft there for a moment.
    const of = { files, folder, fileName: published, nonce }
    const later = await latestRevision(of, revision, async (number) => {
      const claim = await read(revisionClaimName(published, nonce, number))
      // A final answer counts once it is claimed as one.
      const counts = claim && claim.nonce === nonce && mayChange(claim) && (claim.revision ?? 0) >= number
      const answerFile = counts ? await accept(claim) : null
      return answerFile ? { answerFile } : claim && null
    })
    if (later) return { ...found, ...later }
  }
  found.answerFile = shown && (await accept(shown))
  return found
}

/** The text of a claim or of a published file, or `null`. */
const textOf = (files: SandboxFiles, path: string): Promise<string | null> =>
  path.endsWith('.json') ? readAnswerText(files, path) : readClaim(files, path)
