import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { expect, it, vi } from 'vitest'
import { factsHeaderOf } from '../src/lib/record-facts.ts'
import { bucketNames, textSubject } from '../src/lib/subjects.ts'
import { MOST_BYTES, MOST_OPEN } from '../src/view/memory-limits.ts'
import { View } from '../src/view/view.ts'

const names = bucketNames('sandagent')

function filled() {
  const onWarning = vi.fn()
  const view = new View(names, () => 'open', onWarning)
  let sequence = 0
  const take = (kind: 'q' | 'a', id: string, text: string, { namespace = 'a', isSettled = false } = {}) => {
    const facts = factsHeaderOf({ runId: 'run', askedAt: '2026-01-01T00:00:00.000Z', isSettled })
    view.take({
      subject: textSubject(names, namespace, 'open', kind, id),
      sequence: ++sequence,
      storedAt: 0,
      bytes: Buffer.byteLength(text),
      text: () => text,
      header: (name) => (name === 'Sandagent-Facts' ? facts : ''),
    })
  }
  return { view, onWarning, take }
}

it('a text that is too long is left out, with a warning', () => {
  const { view, onWarning, take } = filled()
  take('q', 't1', 'x'.repeat(MAX_FILE_BYTES))
  expect(view.question('a', 't1').record?.text).toHaveLength(MAX_FILE_BYTES)
  take('a', 't1', 'answer')
  take('q', 't1', 'x'.repeat(MAX_FILE_BYTES + 1))
  take('q', 't1', 'x'.repeat(MAX_FILE_BYTES + 2))
  expect(view.question('a', 't1')).toMatchObject({ record: null, answer: { text: 'answer' } })
  expect([...view.olderThan(1)]).toEqual([])
  expect(onWarning.mock.calls).toEqual([[expect.objectContaining({ code: 'TOO_LARGE' })]])
  take('q', 't1', 'short')
  expect(view.question('a', 't1').record?.text).toBe('short')
})

it('a namespace with too many open questions gets no more, until one is settled', () => {
  const { view, onWarning, take } = filled()
  for (let n = 0; n < MOST_OPEN; n++) take('q', `t${n}`, 'record')
  expect(onWarning).not.toHaveBeenCalled()
  take('q', 'one more', 'record')
  take('q', 'one more', 'record')
  take('q', 't1', 'record', { namespace: 'b' })
  expect(view.unsettled(undefined, undefined)).toHaveLength(MOST_OPEN + 1)
  expect(view.question('a', 'one more').record).toBeNull()
  expect(onWarning.mock.calls).toEqual([
    [expect.objectContaining({ message: expect.stringContaining('a has more') })],
  ])
  take('a', 't1', 'answer')
  take('q', 't1', 'settled', { isSettled: true })
  expect(view.question('a', 't1')).toMatchObject({ record: { text: 'settled' }, answer: { text: 'answer' } })
  take('q', 'one more', 'record')
  expect(view.question('a', 'one more').record?.text).toBe('record')
})

it('a namespace takes only so much memory, also with settled questions', () => {
  const { view, take } = filled()
  const text = 'x'.repeat(MAX_FILE_BYTES)
  for (let n = 0; n < 300; n++) take('q', `t${n}`, text, { isSettled: true })
  const kept = view.entries('a').filter(({ record }) => record.stored).length * MAX_FILE_BYTES
  expect(kept).toBeLessThan(MOST_BYTES)
  expect(kept).toBeGreaterThan(0.9 * MOST_BYTES)
  take('a', 't1', text)
  expect(view.question('a', 't1').answer?.text).toBe(text)
})
