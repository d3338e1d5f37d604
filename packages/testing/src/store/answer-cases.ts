import assert from 'node:assert/strict'
import { eventually, same, soon } from '../expect.ts'
import { firstOf, type StoreCase } from './context.ts'
import { answerFileFor, openRecord } from './records.ts'

const MANY = 100

export const answerCases: readonly StoreCase[] = [
  {
    name: 'a runner gets an answer that came before the wait, and before the question',
    async run({ runner, host }) {
      const answerFile = answerFileFor('t1', { status: 'completed' })
      await host().write(answerFile, { expectedRevision: 0 })
      const asking = runner()
      await asking.open(openRecord('t1'))
      same(await asking.read('t1'), answerFile)
      same(await firstOf(asking, 't1'), answerFile)
    },
  },
  {
    name: 'an answer without a nonce that was there before the question is ignored',
    async run({ runner, host }) {
      const { nonce: _, ...unbound } = answerFileFor('t1', { status: 'completed' })
      await host().write(unbound, { expectedRevision: 0 })
      const asking = runner()
      const record = await asking.open(openRecord('t1'))
      same(await host().read('t1'), { toolCallId: 't1', record })
      const later = answerFileFor('t1', { status: 'completed', answeredBy: 'somebody' })
      await host().write(later, { expectedRevision: 0 })
      same(await asking.read('t1'), later)
      same(await firstOf(asking, 't1'), later)
    },
  },
  {
    name: 'an answer to an earlier question under the same id gives way to one to this question',
    async run({ runner, host }) {
      await host().write(answerFileFor('t1', { status: 'completed', nonce: 'earlier' }), {
        expectedRevision: 0,
      })
      const asking = runner()
      const record = await asking.open(openRecord('t1'))
      same(await host().read('t1'), { toolCallId: 't1', record })
      const answer = answerFileFor('t1', { status: 'completed' })
      await host().write(answer, { expectedRevision: 0 })
      same((await host().read('t1')).answerFile, answer)
      same(await asking.read('t1'), answer)
      same(await firstOf(asking, 't1'), answer)
    },
  },
  {
    name: 'a runner gets an answer that comes during the wait',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      const answer = firstOf(asking, 't1')
      const answerFile = answerFileFor('t1', { status: 'completed', answeredBy: 'somebody' })
      await host().write(answerFile, { expectedRevision: 0 })
      same(await answer, answerFile)
    },
  },
  {
    name: 'drafts come in order and once, and the final answer comes last',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      const seen: number[] = []
      const write = async (): Promise<void> => {
        for (let revision = 1; revision <= 10; revision++) {
          const status = revision === 10 ? 'completed' : 'pending'
          await host().write(answerFileFor('t1', { revision, status }), { expectedRevision: revision - 1 })
          await eventually(() => assert.equal(seen.at(-1), revision))
        }
      }
      const answers = asking.subscribe('t1')
      const read = async (): Promise<void> => {
        for (let found = await answers.next(); found; found = await answers.next()) {
          seen.push(found.revision ?? 0)
          if (found.status === 'completed') return
        }
      }
      await soon(Promise.all([read(), write()]), 'the wait').finally(() => answers.close())
      assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    },
  },
  {
    name: 'each of many waiters gets its own answer',
    async run({ runner, host }) {
      const asking = runner()
      const answering = host()
      const ids = Array.from({ length: MANY }, (_, n) => `t${n}`)
      const answers = ids.map((id) => firstOf(asking, id))
      for (const id of ids)
        await answering.write(answerFileFor(id, { status: 'completed' }), { expectedRevision: 0 })
      const given = await Promise.all(answers)
      assert.deepEqual(
        given.map((answer) => answer?.toolCallId),
        ids,
      )
    },
  },
  {
    name: 'a runner looks for another answer when one is not accepted',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      await host().write(answerFileFor('t1', { answeredBy: 'forger' }), { expectedRevision: 0 })
      const accept = async (answerFile: { answeredBy?: string }) =>
        answerFile.answeredBy === 'forger' ? null : { ...answerFileFor('t1'), answeredBy: 'rebuilt' }
      assert.equal(await asking.read('t1', { accept }), null)
      const awaited = firstOf(asking, 't1', { accept })
      await host().write(answerFileFor('t1', { revision: 2, status: 'completed' }), { expectedRevision: 1 })
      assert.equal((await asking.read('t1', { accept }))?.answeredBy, 'rebuilt')
      assert.equal((await awaited)?.answeredBy, 'rebuilt')
    },
  },
  {
    name: 'a wait ends when the subscription is closed, before it and during it',
    async run({ runner }) {
      const answers = runner().subscribe('t1')
      const awaited = answers.next()
      setImmediate(() => answers.close())
      assert.equal(await soon(awaited, 'a closed subscription'), null)
      assert.equal(await soon(answers.next(), 'a closed subscription'), null)
    },
  },
]
