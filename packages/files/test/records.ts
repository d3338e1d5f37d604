import type { BoundAnswerFile, OpenRecord } from '@sandagent/core/internal'

/** A question as a runner would record it. */
export const openRecord = (toolCallId: string): OpenRecord => ({
  version: 1,
  toolCallId,
  toolName: 'AskUserQuestion',
  kind: 'question',
  questions: [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }],
  askedAt: '2026-01-01T00:00:00.000Z',
  timeoutMs: 'never',
  deadline: null,
  nonce: 'nonce',
  runId: 'run-1',
  state: 'open',
})

/** An answer file as a host would write it. */
export const answerFileFor = (toolCallId: string, more: Partial<BoundAnswerFile> = {}): BoundAnswerFile => ({
  version: 1,
  toolCallId,
  revision: 1,
  questions: openRecord(toolCallId).questions,
  answers: { 'Which language?': 'A' },
  status: 'completed',
  timestamp: '2026-01-01T00:00:01.000Z',
  ...more,
})
