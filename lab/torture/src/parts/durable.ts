import { basename } from 'node:path'
import { answerFilePath } from '@sandagent/files'
import type { AnswerRequest } from '@sandagent/sdk'
import { wouldBeLost } from './faults/faulty-fs.ts'
import { report } from './settings/settings.ts'
import { textOfView } from './text-of-view.ts'

/** Reports a final answer that was just acknowledged, and that a power cut would lose now. */
export function reportUnlessDurable({ toolCallId, status, responses = {}, reason }: AnswerRequest): void {
  if (status === 'pending') return
  const text = textOfView({ responses, reason })
  if (text === null) throw new Error(`An answer to ${toolCallId} has no text`)
  const name = basename(answerFilePath(toolCallId), '.json')
  if (wouldBeLost(`.${name}`, text)) report({ unsynced: toolCallId })
}
