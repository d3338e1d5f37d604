import { answerFilePath, questionRecordPath } from '@sandagent/files'
import type { Sandbox } from '@sandagent/sdk'
import type { Inspection, TravellingFile } from '../shared/api.ts'
import type { AnswerTimer } from './answer-timer.ts'

/** The two files of a tool call, and how long the answer took. */
export async function inspect(
  sandbox: Pick<Sandbox, 'files' | 'stateFolder'>,
  timer: AnswerTimer,
  toolCallId: string,
): Promise<Inspection> {
  const read = async (path: string): Promise<TravellingFile> => ({
    path,
    text: await sandbox.files.read(path),
  })
  const [question, answerFile] = await Promise.all([
    read(questionRecordPath(toolCallId, sandbox)),
    read(answerFilePath(toolCallId, sandbox)),
  ])
  return { question, answerFile, times: timer.timesOf(toolCallId) }
}
