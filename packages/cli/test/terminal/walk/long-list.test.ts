import type { InboxQuestion } from '@sandagent/inbox'
import { expect, it } from 'vitest'
import { createWalk } from '../../../src/terminal/walk/walk.ts'

const waiting = (toolCallId: string, text = 'Which colour?'): InboxQuestion => ({
  ...{ sandboxId: 's', sandboxName: 'blog' },
  question: {
    ...{ toolCallId, kind: 'question', state: 'open', questionDigest: text, askedAt: '2026-01-01T00:00:00Z' },
    ...{ questions: [{ id: 'q', question: text }], responses: {}, revision: 0 },
    ...{ declined: false, deadline: null, remainingMs: null },
  },
})

it('a question that waits on changes nothing, so a list of thousands is not put in order for each', () => {
  const walk = createWalk({ open: () => new Promise(() => {}), onEmpty: () => {} })
  const found = ['a', 'b', 'c'].map((id) => waiting(id))
  walk.begin(found)
  const seen: number[] = []
  walk.subscribe(() => seen.push(walk.getView().count))
  for (const each of found) walk.take({ kind: 'question', ...each })
  expect(seen).toEqual([])
  walk.take({ kind: 'question', ...waiting('d') })
  walk.take({ kind: 'question', ...waiting('b', 'Which size?') })
  walk.take({ kind: 'question', ...waiting('c'), question: { ...waiting('c').question, state: 'answered' } })
  expect(seen).toEqual([4, 4, 3])
})
