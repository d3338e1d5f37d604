import { fileNameOf } from '@sandagent/core/internal'

/** What is known of a question before its files are read. */
export interface QuestionFile {
  fileName: string
  toolCallId?: string | undefined
}

export const questionFileOf = (toolCallId: string): QuestionFile => ({
  fileName: fileNameOf(toolCallId),
  toolCallId,
})
