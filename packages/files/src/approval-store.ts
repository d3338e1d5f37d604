import { randomUUID } from 'node:crypto'
import {
  type Approval,
  AskError,
  approvalFileName,
  type BoundApproval,
  isFinal,
  parseApproval,
} from '@sandagent/core'
import { APPROVALS_FOLDER, claimFileName } from './channel-paths.ts'
import { type OnWarning, warningOf } from './channel-warning.ts'
import type { QuestionFile } from './question-file.ts'
import { MAX_FILE_BYTES } from './read-file-safely.ts'
import type { SandboxFiles } from './sandbox-files.ts'
import { takeTurns } from './take-turns.ts'

/** The approval files of a sandbox, as its host keeps them. */
export interface ApprovalStore {
  /** Reads an approval; an unreadable one, or another tool call's, is a warning and `null`. */
  read(file: QuestionFile, onWarning: OnWarning): Promise<Approval | null>
  /**
   * Stores an approval as `HostChannel.write` says.
   *
   * @throws AskError also what keeps a claim from being read, such as `INVALID_FILE`: it may be an answer.
   */
  write(approval: BoundApproval, expectedRevision: number): Promise<void>
}

/** A file of the folder. */
interface StoredApproval {
  text: string
  approval: Approval
}

/**
 * Several host processes may share the folder, so a final approval is first claimed: `.NAME.final`, created
 * exclusively and never changed, says for ever who was first, and `NAME.json` follows. No crash leaves a lock behind:
 * whoever finds a claim that `NAME.json` does not show publishes it.
 */
export function createApprovalStore(files: SandboxFiles, onWarning: OnWarning): ApprovalStore {
  const place = files.id ?? randomUUID()

  const readFile = async (name: string, toolCallId: string | undefined): Promise<StoredApproval | null> => {
    const text = await files.read(`${APPROVALS_FOLDER}/${name}`)
    return text === null ? null : { text, approval: parseApproval(text, toolCallId) }
  }

  const read: ApprovalStore['read'] = async ({ fileName, toolCallId }, onWarning) => {
    const orWarn = async <T>(work: Promise<T>): Promise<T | null> => {
      try {
        return await work
      } catch (error) {
        onWarning(warningOf(error, toolCallId))
        return null
      }
    }
    const claim = await orWarn(readFile(claimFileName(fileName), toolCallId))
    const shown = await orWarn(readFile(fileName, toolCallId))
    if (!claim) return shown?.approval ?? null
    // The claim counts whether or not it can be published now; the next look tries again.
    if (claim.text !== shown?.text)
      await orWarn(files.writeAtomic(`${APPROVALS_FOLDER}/${fileName}`, claim.text))
    return claim.approval
  }

  const store = async (approval: BoundApproval, text: string, expectedRevision: number): Promise<void> => {
    const { toolCallId } = approval
    const fileName = approvalFileName(toolCallId)
    const readNow = (): Promise<Approval | null> => read({ fileName, toolCallId }, onWarning)

    const before = await readNow()
    if ((before && isFinal(before)) || (before?.revision ?? 0) !== expectedRevision) throw conflict(before)
    if (isFinal(approval) && !(await creates(files, claimFileName(fileName), text)))
      // Not by way of a warning: a claim that nobody can read would else look like an answer of nobody's.
      throw conflict((await readFile(claimFileName(fileName), toolCallId))?.approval)
    await files.writeAtomic(`${APPROVALS_FOLDER}/${fileName}`, text)
    if (isFinal(approval)) return
    // A final approval may have come between the look and this write; reading puts it back in place of the draft.
    const after = await readNow()
    if (after && isFinal(after)) throw conflict(after)
  }

  return {
    read,
    async write(approval, expectedRevision) {
      const text = approvalText(approval)
      if (Buffer.byteLength(text) > MAX_FILE_BYTES)
        throw new AskError('TOO_LARGE', `This approval is longer than ${MAX_FILE_BYTES} bytes`, {
          facts: { toolCallId: approval.toolCallId },
        })
      const line = JSON.stringify([place, approval.toolCallId])
      await takeTurns(line, () => store(approval, text, expectedRevision))
    },
  }
}

/** Creates a file of the approvals folder; `false` when it exists. */
async function creates(files: SandboxFiles, name: string, text: string): Promise<boolean> {
  try {
    await files.writeAtomic(`${APPROVALS_FOLDER}/${name}`, text, { exclusive: true })
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
