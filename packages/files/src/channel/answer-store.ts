import { randomUUID } from 'node:crypto'
import {
  type Approval,
  AskError,
  type BoundApproval,
  forOlderRunner,
  isMeantFor,
  mayChange,
  parseApproval,
  type QuestionRecord,
  type QuestionState,
} from '@sandagent/core'
import { MAX_FILE_BYTES } from '../disk/read-file-safely.ts'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import { takeTurns } from '../lib/mutex.ts'
import { unreachable } from '../lib/unreachable.ts'
import { type OnWarning, warningOf } from '../lib/warning.ts'
import { claimFileName } from './paths.ts'
import { type QuestionFile, questionFileOf } from './question-file.ts'
import { readClaim } from './read-claim.ts'

/** The approval files of a sandbox, as its host keeps them. */
export interface ApprovalStore {
  /**
   * Reads the approval that is meant for `record`, or whichever is there when no question is recorded. A file that is no
   * approval, or another tool call's, is a warning and `null`.
   *
   * @throws the system's error: what cannot be read may be an answer.
   */
  read(file: QuestionFile, record: QuestionRecord | null, onWarning: OnWarning): Promise<FoundApproval | null>
  /** Stores an approval as `HostChannel.write` says. */
  write(
    approval: BoundApproval,
    options: { record: QuestionRecord | null; expectedRevision: number },
  ): Promise<void>
}

/** What counts, and whether it could not be put where all runners find it. */
type FoundApproval = Required<Pick<QuestionState, 'approval'>> & Pick<QuestionState, 'unpublished'>

/** What an approval says by the host's own signature; `null` for one that only somebody in the sandbox can have written. */
export type Authenticate = (approval: Approval, record: QuestionRecord) => Promise<Approval | null>

/** A file of the folder. */
interface StoredApproval {
  text: string
  approval: Approval
}

/**
 * Several host processes may share the folder, so a final approval is first claimed: `.NAME.final`, created
 * exclusively and never changed, says for ever who was first, and `NAME.json` follows. No crash leaves a lock behind:
 * each host that finds a claim which `NAME.json` does not show publishes it.
 *
 * A tool call id may be used anew, with a new nonce, once its question file is gone; its claim stays. The new question
 * then has a claim of its own, `.NAME~HASH.final`. So has a question whose first claim is torn. All hosts come to the same
 * claim, because a claim never changes.
 */
export function createApprovalStore(
  files: SandboxFiles,
  folder: string,
  { onWarning, authenticate }: { onWarning: OnWarning; authenticate: Authenticate },
): ApprovalStore {
  const place = files.id ?? randomUUID()

  /** A file as it counts for the question that is recorded, if any is. */
  const counted = async (
    stored: StoredApproval | null,
    record: QuestionRecord | null,
  ): Promise<StoredApproval | null> => {
    if (!stored || !record) return stored
    const approval = isMeantFor(stored.approval, record) ? await authenticate(stored.approval, record) : null
    return approval && { ...stored, approval }
  }

  /** Where the final approval of this asking is claimed, and who claimed it. */
  const claimOf = async (
    { fileName, toolCallId }: QuestionFile,
    record: QuestionRecord | null,
    warn: OnWarning,
  ): Promise<{ name: string; first: StoredApproval | null }> => {
    const look = async (name: string) => {
      const text = await readClaim(files, `${folder}/${name}`)
      const first = text === null ? null : await counted(parsedClaim(text, toolCallId, warn), record)
      return { name, first, isPassedOver: text !== null && first === null }
    }
    const claim = await look(claimFileName(fileName))
    return claim.isPassedOver ? look(claimFileName(fileName, record?.nonce ?? '')) : claim
  }

  /** What `NAME.json` shows, whether or not it counts. */
  const shownIn = async (
    { fileName, toolCallId }: QuestionFile,
    warn: OnWarning,
  ): Promise<StoredApproval | null> => {
    try {
      const text = await files.read(`${folder}/${fileName}`)
      return text === null ? null : { text, approval: parseApproval(text, toolCallId) }
    } catch (error) {
      if (!(error instanceof AskError) || error.code === 'UNREACHABLE') throw error
      warn(warningOf(error, toolCallId))
      return null
    }
  }

  const publishes = async (
    fileName: string,
    text: string,
    warn: (error: unknown) => void,
  ): Promise<boolean> => {
    try {
      await files.writeAtomic(`${folder}/${fileName}`, text)
      return true
    } catch (error) {
      warn(error)
      return false
    }
  }

  const read: ApprovalStore['read'] = async (file, record, warn) => {
    const { first } = await claimOf(file, record, warn)
    const shown = await shownIn(file, warn)
    if (!first) {
      const found = await counted(shown, record)
      return found && { approval: found.approval }
    }
    // The claim counts whether or not it can be published now; the next look tries again.
    const isPublished =
      first.text === shown?.text ||
      (await publishes(file.fileName, first.text, (error) => warn(warningOf(error, file.toolCallId))))
    return { approval: first.approval, ...(!isPublished && { unpublished: true }) }
  }

  const store: ApprovalStore['write'] = async (approval, { record, expectedRevision }) => {
    const { toolCallId } = approval
    const text = approvalText(approval)
    if (Buffer.byteLength(text) > MAX_FILE_BYTES)
      throw new AskError('TOO_LARGE', `This approval is longer than ${MAX_FILE_BYTES} bytes`, {
        facts: { toolCallId },
      })
    if (record && !isMeantFor(approval, record))
      throw new AskError('CONFLICT', 'The question was asked anew', { facts: { toolCallId } })
    try {
      await put(approval, text, { record, expectedRevision })
    } catch (error) {
      throw unreachable('This answer cannot be stored', error)
    }
  }

  const put = async (
    approval: BoundApproval,
    text: string,
    { record, expectedRevision }: { record: QuestionRecord | null; expectedRevision: number },
  ): Promise<void> => {
    const file = questionFileOf(approval.toolCallId)
    const path = `${folder}/${file.fileName}`
    const { name, first } = await claimOf(file, record, onWarning)
    const before = (first ?? (await counted(await shownIn(file, onWarning), record)))?.approval
    if ((before && !mayChange(before)) || (before?.revision ?? 0) !== expectedRevision) throw conflict(before)
    if (!mayChange(approval)) {
      if (await creates(files, path, text, name)) return
      throw conflict((await claimOf(file, record, onWarning)).first?.approval)
    }
    await files.writeAtomic(path, text)
    // A final approval may have come between the look and this write; reading puts it back in place of the draft.
    const after = (await read(file, record, onWarning))?.approval
    if (after && !mayChange(after)) throw conflict(after)
  }

  return {
    read,
    write: (approval, options) =>
      takeTurns(JSON.stringify([place, approval.toolCallId]), () => store(approval, options)),
  }
}

/** A claim as it was made; a torn one is a warning and `null`. @throws AskError for another tool call's. */
function parsedClaim(text: string, toolCallId: string | undefined, warn: OnWarning): StoredApproval | null {
  try {
    return { text, approval: parseApproval(text, toolCallId) }
  } catch (error) {
    if (error instanceof AskError && error.facts.toolCallId !== undefined) throw error
    warn(warningOf(error, toolCallId))
    return null
  }
}

/** Claims and replaces a file of the approvals folder; `false` when the claim exists. */
async function creates(files: SandboxFiles, path: string, text: string, claim: string): Promise<boolean> {
  try {
    await files.writeAtomic(path, text, { claim })
    return true
  } catch (error) {
    if (error instanceof AskError && error.code === 'CONFLICT') return false
    throw error
  }
}

/** The document's four keys come first, as people know them from older writers. */
function approvalText(approval: Approval): string {
  const { questions, answers, status, timestamp, ...rest } = forOlderRunner(approval)
  return JSON.stringify({ questions, answers, status, timestamp, ...rest }, null, 2)
}

function conflict(first: Approval | null | undefined): AskError {
  const { answeredBy, timestamp, status } = first ?? {}
  const facts = { ...(answeredBy !== undefined && { answeredBy }), ...(first && { timestamp, status }) }
  return new AskError('CONFLICT', 'Another answer came first', { facts })
}
