import type { OnWarning } from '@sandagent/core'
import {
  type AnswerFile,
  AskError,
  fileNameOf,
  parseQuestionRecord,
  type QuestionRecord,
  type QuestionState,
  rememberByText,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import type { AnswerStore } from './answers/answer-store.ts'
import type { QuestionFile } from './question-file.ts'

/** Reads a question's record, or `null`. @throws AskError for an invalid record; or the system's error. */
export async function readRecord(
  files: SandboxFiles,
  questionsFolder: string,
  file: QuestionFile,
): Promise<QuestionRecord | null> {
  const text = await files.read(`${questionsFolder}/${file.fileName}`)
  return text === null ? null : inPlace(parsed(text), file)
}

/** An answer needs the record of its question three times. */
const parsed = rememberByText((text) => parseQuestionRecord(text))

/** @throws AskError for an invalid record. */
export const parseRecord = (text: string, file: QuestionFile): QuestionRecord =>
  inPlace(parseQuestionRecord(text), file)

/** @throws AskError for the record of another question. */
function inPlace(record: QuestionRecord, { fileName, toolCallId }: QuestionFile): QuestionRecord {
  if (toolCallId !== undefined && record.toolCallId !== toolCallId)
    throw new AskError('INVALID_FILE', 'This question file belongs to another tool call', {
      facts: { toolCallId: record.toolCallId },
    })
  if (fileNameOf(record.toolCallId) === fileName) return record
  throw new AskError('INVALID_FILE', `${fileName} is not where this tool call's question belongs`)
}

/** Reads all that is known of a question, or `null`. @throws AskError as {@link readRecord} does. */
export async function readState(
  files: SandboxFiles,
  questionsFolder: string,
  approvals: AnswerStore,
  file: QuestionFile,
  onWarning: OnWarning,
): Promise<QuestionState | null> {
  const record = await readRecord(files, questionsFolder, file)
  const expectedId = file.toolCallId ?? record?.toolCallId
  const answerFile = { fileName: file.fileName, toolCallId: expectedId }
  const found = await approvals.read(answerFile, record, onWarning)
  if (!record && !found) return null
  const toolCallId = expectedId ?? idOf(found?.answerFile, file.fileName)
  return toolCallId === null ? null : { toolCallId, ...(record && { record }), ...found }
}

/** The tool call of an answer file without a recorded question. Older writers give it only in the file's name. */
function idOf(answerFile: AnswerFile | undefined, fileName: string): string | null {
  const toolCallId = answerFile?.toolCallId ?? fileName.slice(0, -'.json'.length)
  return fileNameOf(toolCallId) === fileName ? toolCallId : null
}
