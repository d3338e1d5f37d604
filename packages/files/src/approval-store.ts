import { randomUUID } from 'node:crypto'
import {
  type Approval,
  AskError,
  type BoundApproval,
  isFinal,
  isMeantFor,
  parseApproval,
  type QuestionRecord,
} from '@sandagent/core'
import { claimFileName } from './channel-paths.ts'
import { type OnWarning, warningOf } from './channel-warning.ts'
import { type QuestionFile, questionFileOf } from './question-file.ts'
import { MAX_FILE_BYTES } from './read-file-safely.ts'
import type { SandboxFiles } from './sandbox-files.ts'
import { takeTurns } from './take-turns.ts'

/** The approval files of a sandbox, as its host keeps them. */
export interface ApprovalStore {
  /**
   * Reads the approval that is meant for `record`, or whichever is there when no question is recorded. An unreadable
   * one, or another tool call's, is a warning and `null`.
   */
  read(file: QuestionFile, record: QuestionRecord | null, onWarning: OnWarning): Promise<Approval | null>
  /**
   * Stores an approval as `HostChannel.write` says.
   *
   * @throws AskError also what keeps a claim from being read, such as `INVALID_FILE`: it may be an answer.
   */
  write(
    approval: BoundApproval,
    options: { record: QuestionRecord | null; expectedRevision: number },
  ): Promise<void>
}

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
 * whoever finds a claim that `NAME.json` does not show publishes it.
 *
 * A tool call id may be used anew, with a new nonce, once its question file is gone; its claim stays. The new question
 * then has a claim of its own, `.NAME~HASH.final`. All hosts come to the same one, because a claim never changes.
 */
export function createApprovalStore(
  files: SandboxFiles,
  folder: string,
  { onWarning, authenticate }: { onWarning: OnWarning; authenticate: Authenticate },
): ApprovalStore {
  const place = files.id ?? randomUUID()

  const readFile = async (name: string, toolCallId: string | undefined): Promise<StoredApproval | null> => {
    const text = await files.read(`${folder}/${name}`)
    return text === null ? null : { text, approval: parseApproval(text, toolCallId) }
  }

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
  ): Promise<{ name: string; first: StoredApproval | null }> => {
    const name = claimFileName(fileName)
    const claimed = await readFile(name, toolCallId)
    const first = await counted(claimed, record)
    if (first || !claimed || !record) return { name, first }
    const ownName = claimFileName(fileName, record.nonce)
    return { name: ownName, first: await counted(await readFile(ownName, toolCallId), record) }
  }

  const read: ApprovalStore['read'] = async (file, record, onWarning) => {
    const { fileName, toolCallId } = file
    const orWarn = async <T>(work: Promise<T>): Promise<T | null> => {
      try {
        return await work
      } catch (error) {
        onWarning(warningOf(error, toolCallId))
        return null
      }
    }
    const claim = await orWarn(claimOf(file, record))
    const shown = await orWarn(readFile(fileName, toolCallId))
    if (!claim?.first) return (await counted(shown, record))?.approval ?? null
    // The claim counts whether or not it can be published now; the next look tries again.
    if (claim.first.text !== shown?.text)
      await orWarn(files.writeAtomic(`${folder}/${fileName}`, claim.first.text))
    return claim.first.approval
  }

  const store: ApprovalStore['write'] = async (approval, { record, expectedRevision }) => {
    const { toolCallId } = approval
    const file = questionFileOf(toolCallId)
    const text = approvalText(approval)
    const readNow = (): Promise<Approval | null> => read(file, record, onWarning)

    if (Buffer.byteLength(text) > MAX_FILE_BYTES)
      throw new AskError('TOO_LARGE', `This approval is longer than ${MAX_FILE_BYTES} bytes`, {
        facts: { toolCallId },
      })
    if (record && !isMeantFor(approval, record))
      throw new AskError('CONFLICT', 'The question was asked anew', { facts: { toolCallId } })
    const before = await readNow()
    if ((before && isFinal(before)) || (before?.revision ?? 0) !== expectedRevision) throw conflict(before)
    // Not by way of `read`: a claim that nobody can read is no answer of somebody else's, and told as what it is.
    if (isFinal(approval) && !(await creates(files, `${folder}/${(await claimOf(file, record)).name}`, text)))
      throw conflict((await claimOf(file, record)).first?.approval)
    await files.writeAtomic(`${folder}/${file.fileName}`, text)
    if (isFinal(approval)) return
    // A final approval may have come between the look and this write; reading puts it back in place of the draft.
    const after = await readNow()
    if (after && isFinal(after)) throw conflict(after)
  }

  return {
    read,
    write: (approval, options) =>
      takeTurns(JSON.stringify([place, approval.toolCallId]), () => store(approval, options)),
  }
}

/** Creates a file; `false` when it exists. */
async function creates(files: SandboxFiles, path: string, text: string): Promise<boolean> {
  try {
    await files.writeAtomic(path, text, { exclusive: true })
    return true
  } catch (error) {
    if (error instanceof AskError && error.code === 'CONFLICT') return false
    throw error
  }
}

/** The document's four keys come first, as people know them from older writers. */
const approvalText = ({ questions, answers, status, timestamp, ...rest }: Approval): string =>
  JSON.stringify({ questions, answers, status, timestamp, ...rest }, null, 2)

function conflict(first: Approval | null | undefined): AskError {
  const { answeredBy, timestamp, status } = first ?? {}
  const facts = { ...(answeredBy !== undefined && { answeredBy }), ...(first && { timestamp, status }) }
  return new AskError('CONFLICT', 'Another answer came first', { facts })
}
