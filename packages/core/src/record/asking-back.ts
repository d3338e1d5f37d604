// Why it is so: docs/decisions/0096-asking-back-ends-the-call.md

import { canonicalJson } from '../lib/digest.ts'
import type { AnswerFile } from './answer-file/answer-file.ts'
import type { QuestionRecord } from './question-record.ts'

/** What a person asked back about an earlier call, as the host stored it, and what the agent said then. */
export interface AskedBack extends Pick<AnswerFile, 'answeredBy' | 'browser'> {
  question: string
  reply?: string
}

/** What tells which calls may follow one another. */
type Call = Pick<QuestionRecord, 'toolCallId' | 'runId' | 'kind' | 'toolName' | 'asker'>

/** Whether a call may be the next one after another: both are of one run and one asker, and use the same tool. */
export const mayFollow = (next: Call, before: Call): boolean =>
  next.toolCallId !== before.toolCallId && sourceOf(next) === sourceOf(before)

const sourceOf = ({ runId, kind, toolName, asker }: Call): string =>
  canonicalJson({ runId, kind, toolName, asker })
