import { type OpenRecord, parseQuestions } from '../src/internal.ts'

/** A question as a runner would record it. */
export const openRecord = (more: Partial<OpenRecord> = {}): OpenRecord => ({
  version: 1,
  toolCallId: 'toolu_1',
  toolName: 'AskUserQuestion',
  kind: 'question',
  questions: parseQuestions([{ question: 'A?' }]),
  askedAt: '2025-01-30T12:00:00.000Z',
  timeoutMs: 'never',
  deadline: null,
  nonce: 'n',
  runId: 'run-1',
  state: 'open',
  ...more,
})
