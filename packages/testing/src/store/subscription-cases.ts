import assert from 'node:assert/strict'
import { soon } from '../expect.ts'
import { released, type StoreCase, withChanges } from './context.ts'
import { answerFileFor, openRecord, receiptOf } from './records.ts'

const MANY = 20

export const subscriptionCases: readonly StoreCase[] = [
  {
    name: 'a subscription begins with what is there, and then reports each step of a question',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      await withChanges(host(), async (changed) => {
        await changed(({ record, answerFile }) => record?.state === 'open' && !answerFile)
        await host().write(answerFileFor('t1'), { expectedRevision: 0 })
        await changed(({ answerFile }) => answerFile?.status === 'pending')
        await host().write(answerFileFor('t1', { revision: 2, status: 'completed' }), { expectedRevision: 1 })
        await changed(({ answerFile }) => answerFile?.status === 'completed')
        await asking.settle('t1', receiptOf())
        await changed(({ record }) => record?.state === 'answered')
      })
    },
  },
  {
    name: 'a subscription reports a question asked later, and an answer to one that is not recorded',
    async run({ runner, host }) {
      await withChanges(host(), async (changed) => {
        await runner().open(openRecord('t1'))
        await changed(({ toolCallId, record }) => toolCallId === 't1' && record !== undefined)
        await host().write(answerFileFor('t2'), { expectedRevision: 0 })
        await changed(
          ({ toolCallId, record, answerFile }) => toolCallId === 't2' && !record && answerFile !== undefined,
        )
      })
    },
  },
  {
    name: 'a subscription misses no question that is asked while it begins',
    async run({ runner, host }) {
      const ids = Array.from({ length: MANY }, (_, n) => `t${n}`)
      const asking = Promise.all(ids.map((id) => runner().open(openRecord(id))))
      await withChanges(host(), async (changed) => {
        await asking
        for (const id of ids)
          await changed(({ toolCallId, record }) => toolCallId === id && record !== undefined)
      })
    },
  },
  {
    name: 'a subscription reports nothing twice, and one question alone when asked to',
    async run({ runner, host }) {
      for (const id of ['t1', 't2']) await runner().open(openRecord(id))
      await withChanges(
        host(),
        async (changed, all) => {
          await changed(({ toolCallId }) => toolCallId === 't2')
          for (const id of ['t1', 't2']) await host().write(answerFileFor(id), { expectedRevision: 0 })
          await changed(({ answerFile }) => answerFile !== undefined)
          const ids = all.map(({ toolCallId }) => toolCallId)
          assert.deepEqual(ids, ['t2', 't2'])
          assert.equal(new Set(all.map((state) => JSON.stringify(state))).size, 2)
        },
        't2',
      )
    },
  },
  {
    name: 'a subscription ends when the signal aborts or the iterator is returned',
    async run({ host }) {
      const stop = new AbortController()
      const changes = host().subscribe(stop.signal)[Symbol.asyncIterator]()
      const awaited = changes.next()
      await changes.return?.()
      assert.equal((await soon(awaited, 'a returned subscription')).done, true)
      const others = host().subscribe(stop.signal)[Symbol.asyncIterator]()
      const other = others.next()
      stop.abort()
      assert.equal((await soon(other, 'an aborted subscription')).done, true)
      released(stop.signal)
    },
  },
]
