import type { OnWarning } from '@sandagent/core'
import {
  type AnswerFile,
  AskError,
  fileNameOf,
  parseQuestionRecord,
  type QuestionRecord,
  type QuestionState,
} from '@sandagent/core/internal'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import type { AnswerStore } from './answer-store.ts'
import type { QuestionFile } from './question-file.ts'

/** Reads a question's record, or `null`. @throws AskError for an invalid record; or the system's error. */
export async function readRecord(
  files: SandboxFiles,
  questionsFolder: string,
  file: QuestionFile,
): Promise<QuestionRecord | null> {
  const text = await files.read(`${questionsFolder}/${file.fileName}`)
  if (text === null) return null
  const known = parsed.get(text)
  if (known && (file.toolCallId ?? known.toolCallId) === known.toolCallId && isAt(file.fileName, known))
    return known
  const record = parseRecord(text, file)
  if (text.length <= LONGEST_REMEMBERED) remember(text, record)
  return record
}

/** Records by their text: an answer needs its question three times. */
const parsed = new Map<string, QuestionRecord>()
const MOST_REMEMBERED = 500
/** In characters. */
const LONGEST_REMEMBERED = 16_384

function remember(text: string, record: QuestionRecord): void {
  if (parsed.size >= MOST_REMEMBERED) parsed.clear()
  parsed.set(text, record)
}

const isAt = (fileName: string, { toolCallId }: QuestionRecord): boolean =>
  fileNameOf(toolCallId) === fileName

/** @throws AskError for an invalid record. */
export function parseRecord(text: string, { fileName, toolCallId }: QuestionFile): QuestionRecord {
  const record = parseQuestionRecord(text, toolCallId)
  if (isAt(fileName, record)) return record
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
