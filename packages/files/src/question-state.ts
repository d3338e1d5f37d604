import {
  type Approval,
  AskError,
  approvalFileName,
  parseQuestionRecord,
  type QuestionRecord,
  type QuestionState,
} from '@sandagent/core'
import type { ApprovalStore } from './approval-store.ts'
import { type OnWarning, warningOf } from './channel-warning.ts'
import type { QuestionFile } from './question-file.ts'
import type { SandboxFiles } from './sandbox-files.ts'

/** Reads a question's record; an unreadable one, or another tool call's, is a warning and `null`. */
export async function readRecord(
  files: SandboxFiles,
  questionsFolder: string,
  { fileName, toolCallId }: QuestionFile,
  onWarning: OnWarning,
): Promise<QuestionRecord | null> {
  try {
    const text = await files.read(`${questionsFolder}/${fileName}`)
    if (text === null) return null
    const record = parseQuestionRecord(text, toolCallId)
    if (approvalFileName(record.toolCallId) === fileName) return record
    throw new AskError('INVALID_FILE', `${fileName} is not where this tool call's question belongs`)
  } catch (error) {
    onWarning(warningOf(error, toolCallId))
    return null
  }
}

/** Reads all that is known of a question, `null` when that is nothing. */
export async function readState(
  files: SandboxFiles,
  questionsFolder: string,
  approvals: ApprovalStore,
  file: QuestionFile,
  onWarning: OnWarning,
): Promise<QuestionState | null> {
  const record = await readRecord(files, questionsFolder, file, onWarning)
  const expectedId = file.toolCallId ?? record?.toolCallId
  const approvalFile = { fileName: file.fileName, toolCallId: expectedId }
  const approval = await approvals.read(approvalFile, record, onWarning)
  if (!record && !approval) return null
  const toolCallId = expectedId ?? idOf(approval, file.fileName)
  return toolCallId === null ? null : { toolCallId, ...(record && { record }), ...(approval && { approval }) }
}

/** Whose approval it is when no question is recorded: an older writer says it by the name of the file alone. */
function idOf(approval: Approval | null, fileName: string): string | null {
  const toolCallId = approval?.toolCallId ?? fileName.slice(0, -'.json'.length)
  return approvalFileName(toolCallId) === fileName ? toolCallId : null
}
