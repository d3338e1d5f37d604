import type { QuestionView } from '@sandagent/core'
import type { Notice } from '../src/notice.ts'

/** A word of the question that goes nowhere without permission. */
export const SECRET = 'Launch'

/** A notice about a question with hostile texts. */
export const exampleNotice = ({
  question = {},
  ...more
}: Partial<Omit<Notice, 'question'>> & { question?: Partial<QuestionView> } = {}): Notice => ({
  id: '0123456789abcdef0123456789abcdef',
  sandboxId: 'shop',
  sandboxName: 'The shop',
  toolCallId: 'toolu_1',
  person: { name: 'Ada' },
  link: 'https://inbox.example.com/answer#token=t',
  isTextAllowed: false,
  ...more,
  question: {
    toolCallId: 'toolu_1',
    kind: 'question',
    state: 'open',
    questions: [
      {
        id: 'q1',
        question: `${SECRET} <!channel> & *now*?\r\nBcc: eve@example.com`,
        options: [{ label: `${SECRET} <it>` }, { label: 'Wait', value: 'wait' }],
      },
    ],
    questionDigest: 'd1',
    askedAt: '2026-01-01T00:00:00.000Z',
    responses: {},
    revision: 0,
    declined: false,
    deadline: null,
    remainingMs: null,
    ...question,
  },
})

export const patience: AbortSignal = new AbortController().signal
