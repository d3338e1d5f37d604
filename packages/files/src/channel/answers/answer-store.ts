import { randomUUID } from 'node:crypto'
import type { OnWarning } from '@sandagent/core'
import {
  type AnswerFile,
  AskError,
  type Authenticate,
  answerConflict,
  type BoundAnswerFile,
  isMeantFor,
  MAX_FILE_BYTES,
  mayChange,
  parseAnswerFile,
  type QuestionRecord,
  type QuestionState,
  toOlderFormat,
  unreachable,
  votesNeeded,
  warningOf,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { createMutex } from '../../lib/mutex.ts'
import { claimFileName, revisionClaimName } from '../paths.ts'
import { type QuestionFile, questionFileOf } from '../question-file.ts'
import { readClaim } from './read-claim.ts'

/** The answer files of a sandbox, as its host keeps them. */
export interface AnswerStore {
  /**
   * Reads the answer file that is meant for `record`, or any answer file if no question is recorded. A file that is no
   * answer file, or is for another tool call, is a warning and `null`.
   *
   * @throws the system's error: a file that cannot be read may be an answer.
   */
  read(
    file: QuestionFile,
    record: QuestionRecord | null,
    onWarning: OnWarning,
  ): Promise<FoundAnswerFile | null>
  /** Stores an answer file, see `HostChannel.write`. */
  write(
    answerFile: BoundAnswerFile,
    options: { record: QuestionRecord | null; expectedRevision: number },
  ): Promise<void>
}

/** The answer file that counts, and whether publishing it failed. */
type FoundAnswerFile = Required<Pick<QuestionState, 'answerFile'>> & Pick<QuestionState, 'unpublished'>

/** Shared by all channels of this process: hosts make a channel per request. */
const inTurn = createMutex()

interface FoundClaim {
  name: string
  first: StoredAnswerFile | null
  /** Whether something is there that does not count. */
  isPassedOver: boolean
}

/** Whether each revision is claimed. */
const hasRevisionClaims = ({ rule, votes }: AnswerFile): boolean =>
  votes !== undefined && votesNeeded(rule) > 1

interface StoredAnswerFile {
  text: string
  answerFile: AnswerFile
}

/**
 * Several host processes may share the folder. So a host first claims a final answer file: it creates `.NAME.final`, which
 * must not exist yet. This claim never changes and says who was first. Then the host writes `NAME.json`. A crash leaves no
 * lock behind: each host that finds a claim publishes it, if `NAME.json` shows something else.
 *
 * A tool call id may be used again, with a new nonce, once its question file is gone. The old claim stays, so the new
 * question has a claim of its own: `.NAME~HASH.final`. So does a question whose first claim is torn. All hosts agree on
 * when to use the second claim, because a claim never changes.
 *
 * While votes are counted, a host also claims each revision: `.NAME~HASH.rN`. Of two hosts that write at once, one starts again with
 * the vote of the other. The latest claim counts, whatever `NAME.json` shows.
 */
export function createAnswerStore(
  files: SandboxFiles,
  folder: string,
  { onWarning, authenticate }: { onWarning: OnWarning; authenticate: Authenticate },
): AnswerStore {
  const place = files.id ?? randomUUID()

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
    {
      toolCallId,
      record,
      warn,
    }: { toolCallId: string | undefined; record: QuestionRecord | null; warn: OnWarning },
  ): Promise<FoundClaim> => {
    const text = await readClaim(files, `${folder}/${name}`)
    const first = text === null ? null : await counted(parsedClaim(text, toolCallId, warn), record)
    return { name, first, isPassedOver: text !== null && first === null }
  }

  /** Where the final answer file of this question is claimed, and who claimed it. */
  const claimOf = async (
    { fileName, toolCallId }: QuestionFile,
    record: QuestionRecord | null,
    warn: OnWarning,
  ): Promise<FoundClaim> => {
    const look = (name: string): Promise<FoundClaim> => claimAt(name, { toolCallId, record, warn })
    const claim = await look(claimFileName(fileName))
    return claim.isPassedOver ? look(claimFileName(fileName, record?.nonce ?? '')) : claim
  }

  /** The claim of one revision of a question whose votes are counted. */
  const revisionClaim = (
    { fileName, toolCallId }: QuestionFile,
    { record, revision, warn }: { record: QuestionRecord; revision: number; warn: OnWarning },
  ): Promise<FoundClaim> =>
    claimAt(revisionClaimName(fileName, record.nonce, revision), { toolCallId, record, warn })

  /** The answer file of the last revision that was claimed. */
  const latestOf = async (
    file: QuestionFile,
    record: QuestionRecord | null,
    shown: StoredAnswerFile | null,
    warn: OnWarning,
  ): Promise<StoredAnswerFile | null> => {
    let latest = shown
    while (latest && record && hasRevisionClaims(latest.answerFile)) {
      const revision = (latest.answerFile.revision ?? 0) + 1
      const { first } = await revisionClaim(file, { record, revision, warn })
      if (first?.answerFile.revision !== revision) break
      latest = first
    }
    return latest
  }

  const shownIn = async (
    { fileName, toolCallId }: QuestionFile,
    warn: OnWarning,
  ): Promise<StoredAnswerFile | null> => {
    try {
      const text = await files.read(`${folder}/${fileName}`)
      return text === null ? null : { text, answerFile: parseAnswerFile(text, toolCallId) }
    } catch (error) {
      if (!(error instanceof AskError) || error.code === 'UNREACHABLE') throw error
      warn(warningOf(error, toolCallId))
      return null
    }
  }

  const read: AnswerStore['read'] = async (file, record, warn) => {
    const claim = await claimOf(file, record, warn)
    const shown = await shownIn(file, warn)
    const path = `${folder}/${file.fileName}`
    let { first } = claim
    if (!first) {
      const latest = await latestOf(file, record, await counted(shown, record), warn)
      if (!latest || mayChange(latest.answerFile) || latest.text === shown?.text)
        return latest && { answerFile: latest.answerFile }
      // Its host had claimed the last revision, and stopped before it could publish the answer.
      if (!(await creates(files, path, latest.text, claim.name))) return read(file, record, warn)
      first = latest
    }
    try {
      if (first.text !== shown?.text) await files.writeAtomic(path, first.text)
      return { answerFile: first.answerFile }
    } catch (error) {
      // The claim counts even if it cannot be published now. The next read tries again.
      warn(warningOf(error, file.toolCallId))
      return { answerFile: first.answerFile, unpublished: true }
    }
  }

  const store: AnswerStore['write'] = async (answerFile, { record, expectedRevision }) => {
    const { toolCallId } = answerFile
    const text = answerFileText(answerFile)
    if (Buffer.byteLength(text) > MAX_FILE_BYTES)
      throw new AskError('TOO_LARGE', `This answer file is longer than ${MAX_FILE_BYTES} bytes`, {
        facts: { toolCallId },
      })
    if (record && !isMeantFor(answerFile, record))
      throw new AskError('CONFLICT', 'The question was asked again', { facts: { toolCallId } })
    try {
      await put(answerFile, text, { record, expectedRevision })
    } catch (error) {
      throw unreachable('This answer cannot be stored', error)
    }
  }

  const put = async (
    answerFile: BoundAnswerFile,
    text: string,
    { record, expectedRevision }: { record: QuestionRecord | null; expectedRevision: number },
  ): Promise<void> => {
    const file = questionFileOf(answerFile.toolCallId)
    const path = `${folder}/${file.fileName}`
    const { name, first } = await claimOf(file, record, onWarning)
    const shown = first ? null : await counted(await shownIn(file, onWarning), record)
    const before = (first ?? (await latestOf(file, record, shown, onWarning)))?.answerFile
    if ((before && !mayChange(before)) || (before?.revision ?? 0) !== expectedRevision)
      throw answerConflict(before)
    const { revision } = answerFile
    const own =
      record && hasRevisionClaims(answerFile)
        ? await revisionClaim(file, { record, revision, warn: onWarning })
        : null
    if (own?.first) throw answerConflict(before)
    // A claim that no host made is passed over.
    const ownClaim = own && !own.isPassedOver ? own.name : undefined
    if (!mayChange(answerFile)) {
      // A runner must not see an answer before the claim of the final answer decides.
      if (ownClaim) await files.writeAtomic(`${folder}/${ownClaim}`, text, { exclusive: true })
      if (await creates(files, path, text, name)) return
      throw answerConflict((await claimOf(file, record, onWarning)).first?.answerFile)
    }
    await files.writeAtomic(path, text, ownClaim ? { claim: ownClaim } : {})
    // A final answer file may have come between the read and this write. Reading again publishes it over the draft.
    const after = (await read(file, record, onWarning))?.answerFile
    if (after && !mayChange(after)) throw answerConflict(after)
  }

  return {
    read,
    write: (answerFile, options) =>
      inTurn(JSON.stringify([place, answerFile.toolCallId]), () => store(answerFile, options)),
  }
}

/** Parses a claim. A torn claim is a warning. @throws AskError for a claim of another tool call. */
function parsedClaim(text: string, toolCallId: string | undefined, warn: OnWarning): StoredAnswerFile | null {
  try {
    return { text, answerFile: parseAnswerFile(text, toolCallId) }
  } catch (error) {
    if (error instanceof AskError && error.facts.toolCallId !== undefined) throw error
    warn(warningOf(error, toolCallId))
    return null
  }
}

/** Claims and replaces a file of the answer files folder; `false` when the claim exists. */
async function creates(files: SandboxFiles, path: string, text: string, claim: string): Promise<boolean> {
  try {
    await files.writeAtomic(path, text, { claim })
    return true
  } catch (error) {
    if (error instanceof AskError && error.code === 'CONFLICT') return false
    throw error
  }
}

/** Older writers put the four keys of the SandAgent document first. */
function answerFileText(answerFile: AnswerFile): string {
  const { questions, answers, status, timestamp, ...rest } = toOlderFormat(answerFile)
  return JSON.stringify({ questions, answers, status, timestamp, ...rest }, null, 2)
}
