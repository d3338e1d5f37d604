import { approvalPath, questionPath } from '@sandagent/files'
import type { Sandbox } from '@sandagent/sdk'
import type { Inspection, TravellingFile } from '../shared/api.ts'
import type { AnswerTimer } from './answer-timer.ts'

/** The two files of a tool call as they are now, and how long the answer took. */
export async function inspect(
  { files }: Pick<Sandbox, 'files'>,
  timer: AnswerTimer,
  toolCallId: string,
): Promise<Inspection> {
  const read = async (path: string): Promise<TravellingFile> => ({ path, text: await files.read(path) })
  const [question, approval] = await Promise.all([
    read(questionPath(toolCallId)),
    read(approvalPath(toolCallId)),
  ])
  return { question, approval, times: timer.timesOf(toolCallId) }
}
