import {
  type AnswerFile,
  AskError,
  fileNameOf,
  parseQuestionRecord,
  type QuestionRecord,
  rememberByText,
} from '@sandagent/core/internal'
import type { Candidates, StoredQuestion, StoredText } from '@sandagent/core/store'
import type { SandboxFiles } from '../disk/sandbox-files.ts'
import type { AnswerStore, ClaimOptions, FoundAnswerFile } from './answers/answer-store.ts'
import type { QuestionFile } from './question-file.ts'
import { versionOf } from './records/record-files.ts'

/** A record and its text. */
export interface ReadRecord extends StoredText {
  parsed: QuestionRecord
}

/** Where a host finds questions and answers. */
export interface StoredFiles {
  files: SandboxFiles
  questionsFolder: string
  approvals: AnswerStore
}

/** Reads a question's record, or `null`. @throws AskError for an invalid record; or the system's error. */
export async function readRecord(
  files: SandboxFiles,
  questionsFolder: string,
  file: QuestionFile,
): Promise<ReadRecord | null> {
  const text = await files.read(`${questionsFolder}/${file.fileName}`)
  const record = text === null ? null : recordOf(text)
  if (record) inPlace(record.parsed, file)
  return record
}

/** An answer needs the record of its question three times. */
const recordOf = rememberByText(
  (text): ReadRecord => ({ text, version: versionOf(text), parsed: parseQuestionRecord(text) }),
)

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
export async function readStored(
  { files, questionsFolder, approvals }: StoredFiles,
  file: QuestionFile,
  { recordOf, ...options }: Pick<Candidates, 'recordOf'> & Omit<ClaimOptions, 'record'>,
): Promise<StoredQuestion | null> {
  const known = file.toolCallId === undefined ? undefined : recordOf?.(file.toolCallId)
  const record = known ? null : await readRecord(files, questionsFolder, file)
  const asked = known ?? record?.parsed ?? null
  const expectedId = file.toolCallId ?? asked?.toolCallId
  const answerFile = { fileName: file.fileName, toolCallId: expectedId }
  const found = await approvals.read(answerFile, { ...options, record: asked })
  if (!asked && !found) return null
  const toolCallId = expectedId ?? idOf(found?.answerFile, file.fileName)
  return toolCallId === null ? null : storedQuestion(toolCallId, record, found)
}

export function storedQuestion(
  toolCallId: string,
  record: ReadRecord | null,
  found: FoundAnswerFile | null,
): StoredQuestion {
  const stored: StoredQuestion = {
    toolCallId,
    record: record && { text: record.text, version: record.version },
    answer: found && { text: found.text, version: versionOf(found.text) },
    accepted: found?.answerFile ?? null,
  }
  if (record) stored.parsed = record.parsed
  if (found?.unpublished) stored.unpublished = true
  return stored
}

/** The tool call of an answer file without a recorded question. Older writers give it only in the file's name. */
function idOf(answerFile: AnswerFile | undefined, fileName: string): string | null {
  const toolCallId = answerFile?.toolCallId ?? fileName.slice(0, -'.json'.length)
  return fileNameOf(toolCallId) === fileName ? toolCallId : null
}
