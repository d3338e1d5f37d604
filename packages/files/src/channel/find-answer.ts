import {
  type AnswerFile,
  AskError,
  type ChannelWarning,
  digestOf,
  EVERY_UNBOUND_ANSWER,
  fileNameOf,
  isFinal,
  isMeantFor,
  parseAnswerFile,
  type QuestionRecord,
  type ReadOptions,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import { isFileFault } from '../lib/unreachable.ts'
import { warningOf } from '../lib/warning.ts'
import { claimFileName } from './paths.ts'
import { readClaim } from './read-claim.ts'

/** What a look at the files of an answer comes to. */
export interface FoundAnswer {
  answerFile: AnswerFile | null
  /** What could not be read. */
  warning?: ChannelWarning
  /** Whether the system kept a file from being read, so that an answer may be there all the same. */
  isUnknown: boolean
}

/** A question whose answer is looked for. Its record is unknown to a process that did not ask it. */
export interface LookedFor {
  toolCallId: string
  record: QuestionRecord | undefined
}

/** The names of the files in which the answer to a question may be, in the order in which they count. */
export function answerFileNames({ toolCallId, record }: LookedFor): { claims: string[]; published: string } {
  const published = fileNameOf(toolCallId)
  const nonces = record ? [undefined, record.nonce] : [undefined]
  return { claims: nonces.map((nonce) => claimFileName(published, nonce)), published }
}

/**
 * Looks for the answer to a question among the files of a host. A claim counts before the published file: the host may
 * have been stopped in between, or a late draft may have taken the place of the published answer.
 */
export async function findAnswer(
  files: SandboxFiles,
  folder: string,
  question: LookedFor,
  { accept = async (answerFile) => answerFile }: ReadOptions = {},
): Promise<FoundAnswer> {
  const { toolCallId, record } = question
  const found: FoundAnswer = { answerFile: null, isUnknown: false }

  const read = async (name: string): Promise<AnswerFile | null> => {
    try {
      const text = await textOf(files, `${folder}/${name}`)
      return text === null ? null : parseAnswerFile(text, toolCallId)
    } catch (error) {
      found.warning = warningOf(error, toolCallId)
      found.isUnknown ||= !(error instanceof AskError) || error.code === 'UNREACHABLE'
      return null
    }
  }

  const { claims, published } = answerFileNames(question)
  for (const name of claims) {
    const claim = await read(name)
    if (!claim && !found.warning) break // Nobody claims under the second name before the first is taken.
    const counts = claim !== null && isFinal(claim) && (!record || isMeantFor(claim, record))
    found.answerFile = counts ? await accept(claim) : null
    if (found.answerFile) return found
  }
  const shown = await read(published)
  found.answerFile = shown && (await accept(shown))
  return found
}

/**
 * What a new record notes in `passedOver`: the digests of stored answers without a nonce. They were stored before the
 * question was asked, so they are not for it.
 */
export async function unboundAnswers(
  files: SandboxFiles,
  folder: string,
  toolCallId: string,
): Promise<string[]> {
  const passedOver = new Set<string>()
  const { claims, published } = answerFileNames({ toolCallId, record: undefined })
  // A host takes the second name where no question is recorded and the first claim is torn.
  for (const name of [...claims, claimFileName(published, ''), published]) {
    try {
      const text = await textOf(files, `${folder}/${name}`)
      const answerFile = text === null ? null : parseAnswerFile(text, toolCallId)
      if (answerFile && answerFile.nonce === undefined) passedOver.add(digestOf(answerFile))
    } catch (error) {
      warningOf(error)
      if (!isFileFault(error)) passedOver.add(EVERY_UNBOUND_ANSWER)
    }
  }
  return [...passedOver]
}

const textOf = (files: SandboxFiles, path: string): Promise<string | null> =>
  path.endsWith('.json') ? files.read(path) : readClaim(files, path)
