import type { InboxQuestion } from '@sandagent/inbox'
import { expect, it } from 'vitest'
import { noticeId } from '../src/notice.ts'

const asked: InboxQuestion = {
  sandboxId: 'shop',
  sandboxName: 'The shop',
  question: {
    toolCallId: 'toolu_1',
    kind: 'question',
    state: 'open',
    questions: [{ id: 'q1', question: 'Which one?' }],
    questionDigest: 'd1',
    askedAt: '2026-01-01T00:00:00.000Z',
    responses: {},
    revision: 0,
    declined: false,
    deadline: null,
    remainingMs: null,
  },
}
const changed = (more: Partial<InboxQuestion['question']>): InboxQuestion => ({
  ...asked,
  question: { ...asked.question, ...more },
})

it('a notice has the same id as long as the question and the person are the same', () => {
  const id = noticeId(asked, 'Ada')
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(noticeId({ ...changed({ revision: 3 }), sandboxName: 'Renamed' }, 'Ada')).toBe(id)
  const others = [
    noticeId(asked, 'Ben'),
    noticeId({ ...asked, sandboxId: 'blog' }, 'Ada'),
    noticeId(changed({ toolCallId: 'toolu_2' }), 'Ada'),
    noticeId(changed({ questionDigest: 'd2' }), 'Ada'),
    noticeId(changed({ askedAt: '2026-01-02T00:00:00.000Z' }), 'Ada'),
  ]
  expect(new Set([id, ...others]).size).toBe(6)
})
