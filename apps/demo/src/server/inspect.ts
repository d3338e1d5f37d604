import { approvalPath, questionPath } from '@sandagent/files'
import type { Sandbox } from '@sandagent/sdk'
import type { Inspection, TravellingFile } from '../shared/api.ts'
import type { AnswerTimer } from './answer-timer.ts'

/** The two files of a tool call as they are now, and how long the answer took. */
export async function inspect(
  sandbox: Pick<Sandbox, 'files' | 'stateFolder'>,
  timer: AnswerTimer,
  toolCallId: string,
): Promise<Inspection> {
  const read = async (path: string): Promise<TravellingFile> => ({
    path,
    text: await sandbox.files.read(path),
  })
  const [question, approval] = await Promise.all([
    read(questionPath(toolCallId, sandbox)),
    read(approvalPath(toolCallId, sandbox)),
  ])
  return { question, approval, times: timer.timesOf(toolCallId) }
}
