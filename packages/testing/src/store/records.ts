import type { BoundAnswerFile, OpenRecord, Receipt } from '@sandagent/core/internal'

const QUESTIONS = [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]

/** A question as a runner would record it, for tests. */
export const openRecord = (toolCallId: string, more: Partial<OpenRecord> = {}): OpenRecord => ({
  version: 1,
  toolCallId,
  toolName: 'AskUserQuestion',
  kind: 'question',
  questions: QUESTIONS,
  askedAt: '2026-01-01T00:00:00.000Z',
  timeoutMs: 'never',
  deadline: null,
  nonce: `nonce of ${toolCallId}`,
  runId: 'run-1',
  state: 'open',
  ...more,
})

/** A draft to that question as a host would write it, for tests. With `status: 'completed'` it is an answer. */
export const answerFileFor = (toolCallId: string, more: Partial<BoundAnswerFile> = {}): BoundAnswerFile => ({
  questions: QUESTIONS,
  answers: { 'Which language?': 'A' },
  status: 'pending',
  timestamp: '2026-01-01T00:00:01.000Z',
  version: 1,
  toolCallId,
  nonce: `nonce of ${toolCallId}`,
  revision: 1,
  responses: { q1: { selected: ['A'], source: 'human' } },
  ...more,
})

/** The receipt of that answer. */
export const receiptOf = (more: Partial<Receipt> = {}): Receipt => ({
  state: 'answered',
  settledAt: '2026-01-01T00:00:02.000Z',
  responses: { q1: { selected: ['A'], source: 'human' } },
  revision: 1,
  ...more,
})
