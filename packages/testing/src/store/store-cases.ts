import assert from 'node:assert/strict'
import type { AnswerOptions, HostQuestions, StoredQuestion } from '@sandagent/core/store'
import { eventually, soon } from '../expect.ts'
import type { StoreCase } from './context.ts'
import { answerFileFor, openRecord, receiptOf } from './records.ts'

const draft = (revision: number): string => JSON.stringify(answerFileFor('t1', { revision }))

async function readOne(store: HostQuestions, toolCallId: string): Promise<StoredQuestion> {
  const [stored] = await store.read([toolCallId])
  return stored ?? assert.fail(`The store gives nothing for ${toolCallId}`)
}

/** The question as it was read, and the version of its answer: what a write of the answer is compared with. */
function asRead({ record, answer }: StoredQuestion): AnswerOptions {
  const asked = record && { record: JSON.parse(record.text), version: record.version }
  return { asked, expected: answer?.version ?? null }
}

export const storeCases: readonly StoreCase[] = [
  {
    name: 'of two hosts that store a draft after the same one, the second one stores nothing',
    async run({ runner, halves }) {
      await runner().open(openRecord('t1'))
      const [one, other] = [halves.host(), halves.host()]
      for (const revision of [1, 2, 3]) {
        const read = await readOne(one, 't1')
        const stored = await one.writeAnswer('t1', draft(revision), asRead(read))
        assert.ok(stored?.answer, 'a draft after the latest one was not stored')
        assert.notEqual(
          stored.answer.version,
          read.answer?.version,
          'a new draft has the version of the old one',
        )
        assert.equal(await other.writeAnswer('t1', draft(revision), { ...asRead(read) }), null)
        const now = await readOne(other, 't1')
        assert.deepEqual(
          now.answer?.version,
          stored.answer.version,
          'a write that was refused changed the answer',
        )
      }
    },
  },
  {
    name: 'a final answer after another answer than the stored one is refused, and changes nothing',
    async run({ halves }) {
      const store = halves.host()
      const before = await readOne(store, 't1')
      const first = await store.writeAnswer('t1', draft(1), asRead(before))
      const final = JSON.stringify(answerFileFor('t1', { status: 'completed' }))
      assert.equal(await halves.host().writeAnswer('t1', final, asRead(before)), null)
      assert.equal((await readOne(store, 't1')).answer?.version, first?.answer?.version)
    },
  },
  {
    name: 'a record after another one than the stored one is refused, and changes nothing',
    async run({ halves }) {
      const store = halves.runner()
      const { runId, askedAt } = openRecord('t1')
      const write = (nonce: string, expected: string | null, writer = store) => {
        const text = JSON.stringify(openRecord('t1', { nonce }))
        return writer.writeRecord('t1', text, { expected, facts: { runId, askedAt, isSettled: false } })
      }
      const first = await write('first', null)
      assert.ok(first?.record, 'a new record was not stored')
      assert.equal(await write('other', null, halves.runner()), null)
      assert.equal(await write('other', null), null)
      const second = await write('second', first.record.version, halves.runner())
      assert.ok(second?.record, 'a record after the latest one was not stored')
      assert.notEqual(second.record.version, first.record.version)
      assert.equal(await write('other', first.record.version), null)
      const { record } = await readOne(halves.host(), 't1')
      assert.equal(record && JSON.parse(record.text).nonce, 'second')
    },
  },
  {
    name: 'each question is read in its place, also one that is not there',
    async run({ runner, halves }) {
      for (const id of ['t1', 't2', 't3']) await runner().open(openRecord(id))
      const read = await halves.host().read(['t3', 'unknown', 't1', 't2'])
      assert.deepEqual(
        read.map(({ toolCallId, record }) => [toolCallId, record !== null]),
        [
          ['t3', true],
          ['unknown', false],
          ['t1', true],
          ['t2', true],
        ],
      )
      assert.deepEqual(await halves.host().read([]), [])
    },
  },
  {
    name: 'a list goes on behind a question, by its time and then by its id',
    async run({ runner, halves }) {
      const seconds = { t1: 2, t3: 1, t2: 1, t4: 3, t5: 4 }
      for (const [id, second] of Object.entries(seconds)) {
        const asking = runner()
        await asking.open(openRecord(id, { askedAt: `2026-01-01T00:00:0${second}.000Z` }))
        if (id === 't4') await asking.settle(id, receiptOf())
      }
      const store = halves.host()
      const all = await store.list()
      const ids = (questions: readonly { toolCallId: string }[]) =>
        questions.map(({ toolCallId }) => toolCallId)
      assert.deepEqual(ids(all), ['t2', 't3', 't1', 't4', 't5'])
      for (const [index, after] of all.entries())
        assert.deepEqual(ids(await store.list({ after })), ids(all.slice(index + 1)))
      assert.deepEqual(ids(await store.list({ after: all[1], unsettled: true })), ['t1', 't5'])
      assert.equal((await store.list({ after: all[0], limit: 1 }))[0]?.toolCallId, 't3')
    },
  },
  {
    name: 'a subscription of a host first gives what is there',
    async run({ runner, halves }) {
      const store = halves.host()
      for (const id of ['t1', 't2']) await runner().open(openRecord(id))
      await store.writeAnswer('t2', JSON.stringify(answerFileFor('t2')), asRead(await readOne(store, 't2')))
      const stop = new AbortController()
      const seen = new Map<string, StoredQuestion>()
      const follow = async (): Promise<void> => {
        for await (const changed of store.subscribe(stop.signal))
          for (const stored of changed) seen.set(stored.toolCallId, stored)
      }
      const following = follow()
      following.catch(() => {})
      try {
        await eventually(() => assert.deepEqual([...seen.keys()].sort(), ['t1', 't2']))
        for (const id of ['t1', 't2']) {
          const { record, answer } = await readOne(store, id)
          assert.deepEqual([seen.get(id)?.record, seen.get(id)?.answer], [record, answer])
        }
      } finally {
        stop.abort()
        await soon(following, 'an aborted subscription')
      }
    },
  },
]
