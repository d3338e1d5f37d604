import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { expect, it, vi } from 'vitest'
import { AFTER_HEADER, nextVersion, VERSION_HEADER } from '../src/lib/links.ts'
import { FACTS_HEADER, factsHeaderOf } from '../src/lib/record-facts.ts'
import { bucketNames, SWEPT_HEADER, textSubject } from '../src/lib/subjects.ts'
import { MOST_BYTES, MOST_OPEN } from '../src/view/memory-limits.ts'
import { View } from '../src/view/view.ts'

const names = bucketNames('sandagent')

function filled() {
  const onWarning = vi.fn()
  const view = new View(names, () => 'open', onWarning)
  let sequence = 0
  const last = new Map<string, string>()
  const take = (kind: 'q' | 'a', id: string, text: string, { namespace = 'a', isSettled = false } = {}) => {
    const facts = factsHeaderOf({ runId: 'run', askedAt: '2026-01-01T00:00:00.000Z', isSettled })
    const subject = textSubject(names, namespace, 'open', kind, id)
    const after = last.get(subject) ?? ''
    const version = nextVersion(after)
    last.set(subject, version)
    const headers: Record<string, string> = {
      [FACTS_HEADER]: facts,
      [VERSION_HEADER]: version,
      [AFTER_HEADER]: after,
    }
    view.take({
      subject,
      sequence: ++sequence,
      storedAt: 0,
      bytes: Buffer.byteLength(text),
      text: () => text,
      header: (name) => headers[name] ?? '',
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
  expect(view.list({ unsettled: true })).toHaveLength(MOST_OPEN + 1)
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

/** A view, and what takes messages of one answer. The version of each is its name behind a count. */
function told() {
  const view = new View(names, () => 'open')
  let sequence = 0
  const id = (version: string): string =>
    version && `${version[1]}.${Buffer.from(version).toString('hex').padStart(36, '0')}`
  const take = (
    version: string,
    after: string,
    { kind = 'a' as 'a' | 'q', isSwept = false } = {},
  ): boolean => {
    const headers: Record<string, string> = {
      [VERSION_HEADER]: id(version),
      [AFTER_HEADER]: id(after),
      [SWEPT_HEADER]: isSwept ? 'true' : '',
    }
    return view.take({
      subject: textSubject(names, 'a', 'open', kind, 't1'),
      sequence: ++sequence,
      storedAt: 0,
      bytes: version.length,
      text: () => version,
      header: (name) => headers[name] ?? '',
    })
  }
  return { view, take, answer: () => view.question('a', 't1').answer?.text }
}

it('of two messages behind the same version, the first one counts', () => {
  const { take, answer } = told()
  expect([take('a1', ''), take('b1', ''), take('b2', 'a1'), take('c2', 'a1'), take('c3', 'b1')]).toEqual([
    true,
    false,
    true,
    false,
    false,
  ])
  expect(answer()).toBe('b2')
})

it('where older messages are gone, a later one shows that the first one left did not count', () => {
  const { take, answer } = told()
  expect([take('b5', 'a4'), take('c5', 'a4')]).toEqual([true, false])
  expect([take('d6', 'a5'), take('e7', 'd6')]).toEqual([true, true])
  // Now the history is known.
  expect(take('f9', 'a8')).toBe(false)
  expect(answer()).toBe('e7')
})

it('what was swept can be written again, also by a host that does not know of the sweep', () => {
  for (const [version, after] of [
    ['c1', ''],
    ['c2', 'a1'],
  ] as const) {
    const { take, answer } = told()
    take('q1', '', { kind: 'q' })
    take('a1', '')
    expect(take('q2', 'q1', { kind: 'q', isSwept: true })).toBe(true)
    expect(answer()).toBeUndefined()
    expect([take(version, after), take('d1', '')]).toEqual([true, false])
    expect(answer()).toBe(version)
  }
})

it('while a view reads everything again, it shows what it had, and then tells only of what changed', () => {
  const { view, take, answer } = told()
  const messages = [
    ['a1', ''],
    ['b2', 'a1'],
  ] as const
  const changes: (string | undefined)[] = []
  view.listen('a', () => changes.push(answer()))
  const read = (count: number): void => {
    view.beginReading()
    for (const [version, after] of messages.slice(0, count)) take(version, after)
    view.endReading()
  }
  for (const [version, after] of messages) take(version, after)
  read(2)
  expect(changes).toEqual(['a1', 'b2'])
  view.beginReading()
  take('a1', '')
  expect(answer()).toBe('b2')
  read(1)
  read(0)
  expect(changes).toEqual(['a1', 'b2', 'a1', undefined])
})
