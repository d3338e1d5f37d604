import type { OnWarning } from '../lib/warnings/warning-codes.ts'
import { isSettled, type QuestionRecord } from './question-record.ts'
import type { QuestionState } from './question-state.ts'
import { isDisputed } from './receipt.ts'

export interface JudgeOptions {
  hasRunEnded: (record: QuestionRecord) => Promise<boolean>
  onWarning: OnWarning
}

/** Adds what became of the run, and warns of a disputed receipt. */
export async function judgeState(
  state: QuestionState,
  { hasRunEnded, onWarning }: JudgeOptions,
): Promise<QuestionState> {
  const { toolCallId, record, answerFile } = state
  if (!record) return state
  if (isSettled(record)) {
    if (isDisputed(record, answerFile)) onWarning({ code: 'DISPUTED_RECEIPT', message: DISPUTED, toolCallId })
    return state
  }
  return record.left || (await hasRunEnded(record)) ? { ...state, runEnded: true } : state
}

const DISPUTED =
  'This question is said to have ended by an answer that this host did not store. Do not trust that answer'
