import { basename } from 'node:path'
import { answerFilePath } from '@sandagent/files'
import { wouldBeLost } from './faults/faulty-fs.ts'
import { report } from './settings/settings.ts'

/** Reports a final answer that was just acknowledged, and that a power cut would lose now. */
export function reportUnlessDurable({
  toolCallId,
  status,
}: {
  toolCallId: string
  status?: string | undefined
}): void {
  if (status === 'pending') return
  const name = basename(answerFilePath(toolCallId), '.json')
  if (wouldBeLost(`.${name}`)) report({ unsynced: toolCallId })
}
