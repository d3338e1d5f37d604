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
  warningOf,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { createMutex } from '../../lib/mutex.ts'
import { type QuestionFile, questionFileOf } from '../question-file.ts'
import { createClaims, type FoundClaim, type StoredAnswerFile } from './claims.ts'
import { readAnswerText } from './read-answer-text.ts'

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

  const { counted, finalClaim, ownClaim, latestOf } = createClaims(files, folder, authenticate)

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

  /** Puts a claimed answer where runners look. Whether it is the answer that counts. */
  const publish = async (path: string, text: string, final: FoundClaim): Promise<boolean> => {
    if (!final.first) return creates(files, path, text, final.name)
    await files.writeAtomic(path, text)
    return true
  }

  const read: AnswerStore['read'] = async (file, record, warn) => {
    const final = await finalClaim(file, { record, warn })
    const shown = await shownIn(file, warn)
    const found = final.first ?? (await latestOf(file, await counted(shown, record), { record, warn }))
    if (!found || (!final.first && mayChange(found.answerFile)) || found.text === shown?.text)
      return found && { answerFile: found.answerFile }
    try {
      // Its host may have claimed the last revision only.
      if (!(await publish(`${folder}/${file.fileName}`, found.text, final))) return read(file, record, warn)
      return { answerFile: found.answerFile }
    } catch (error) {
      // The claim counts even if it cannot be published now. The next read tries again.
      warn(warningOf(error, file.toolCallId))
      return { answerFile: found.answerFile, unpublished: true }
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
    const options = { record, warn: onWarning }
    const final = await finalClaim(file, options)
    const shown = final.first ? null : await counted(await shownIn(file, onWarning), record)
    const before = (final.first ?? (await latestOf(file, shown, options)))?.answerFile
    if ((before && !mayChange(before)) || (before?.revision ?? 0) !== expectedRevision)
      throw answerConflict(before)
    const own = await ownClaim(file, answerFile, options)
    if (own?.first) {
      // Its host may have stopped before it could publish it.
      if (mayChange(own.first.answerFile)) await files.writeAtomic(path, own.first.text)
      else await publish(path, own.first.text, final)
      throw answerConflict(own.first.answerFile)
    }
    // A claim that no host made is passed over.
    const claim = own && !own.isPassedOver ? own.name : undefined
    if (!mayChange(answerFile)) {
      // A runner must not see an answer before the claim of the final answer decides.
      if (claim) await files.writeAtomic(`${folder}/${claim}`, text, { exclusive: true })
      if (await publish(path, text, final)) return
      throw answerConflict((await finalClaim(file, options)).first?.answerFile)
    }
    await files.writeAtomic(path, text, claim ? { claim } : {})
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
