import assert from 'node:assert/strict'
import type { QuestionRecord } from '@sandagent/core'
import { holds, refuses, same } from '../expect.ts'
import type { StoreCase } from './context.ts'
import { answerFileFor, openRecord, receiptOf } from './records.ts'

export const questionCases: readonly StoreCase[] = [
  {
    name: 'a host sees what a runner asks, oldest first',
    async run({ runner, host }) {
      const records = ['third', 'first', 'second'].map((toolCallId) =>
        openRecord(toolCallId, {
          askedAt: `2026-01-0${{ first: 1, second: 2, third: 3 }[toolCallId]}T00:00:00.000Z`,
        }),
      )
      for (const record of records) holds(await runner().open(record), record)
      const ids = (await host().questions()).map(({ toolCallId }) => toolCallId)
      assert.deepEqual(ids, ['first', 'second', 'third'])
      const { toolCallId, record } = await host().read('first')
      assert.equal(toolCallId, 'first')
      holds(record, records[1] as object)
    },
  },
  {
    name: 'nothing is known of a question that nobody asked',
    async run({ runner, host }) {
      same(await host().questions(), [])
      const { toolCallId, record, answerFile } = await host().read('unknown')
      assert.deepEqual([toolCallId, record, answerFile], ['unknown', undefined, undefined])
      assert.equal(await runner().read('unknown'), null)
      await refuses('NOT_FOUND', runner().settle('unknown', receiptOf()), 'settle')
      await refuses('NOT_FOUND', runner().close('unknown', 'aborted'), 'close')
    },
  },
  {
    name: 'ids that look like paths or hidden names are ids like all others',
    async run({ runner, host }) {
      const ids = ['../../up', '.hidden', 'a/b', 'A', 'a', 'ü€😀', 'x'.repeat(300), 'con', '__proto__', ' ']
      for (const id of ids) {
        await runner().open(openRecord(id))
        await host().write(answerFileFor(id, { status: 'completed', answeredBy: id }), {
          expectedRevision: 0,
        })
      }
      for (const id of ids) {
        assert.equal((await host().read(id)).record?.toolCallId, id)
        assert.equal((await host().read(id)).answerFile?.answeredBy, id)
        assert.equal((await runner().read(id))?.answeredBy, id)
      }
      assert.equal((await host().questions()).length, ids.length)
    },
  },
  {
    name: 'a restarted runner gets the question that is open, and not a new one',
    async run({ runner, host }) {
      const first = await runner().open(openRecord('t1'))
      const again = { nonce: 'another', askedAt: '2026-02-02T00:00:00.000Z' }
      same(await runner().open(openRecord('t1', again)), first)
      same(await host().questions(), [first])
    },
  },
  {
    name: 'an open question becomes that of the run which goes on with it',
    async run({ runner, host }) {
      const first = await runner().open(openRecord('t1'))
      const adopted = await runner().open(openRecord('t1', { nonce: 'another', runId: 'run-2' }))
      same(adopted, { ...first, runId: 'run-2' })
      same(await host().questions(), [adopted])
      await host().write(answerFileFor('t1', { status: 'completed' }), { expectedRevision: 0 })
      const settled = await runner().settle('t1', receiptOf())
      assert.equal(settled.runId, 'run-2')
      same(await runner().open(openRecord('t1', { runId: 'run-3' })), settled)
    },
  },
  {
    name: 'a question that its runner leaves stays open without anybody there, until one takes it up again',
    async run({ runner, host }) {
      const asking = runner()
      const first = await asking.open(openRecord('t1'))
      await asking.leave('t1')
      const { record, runEnded } = await host().read('t1')
      same(record, { ...first, left: true })
      assert.equal(runEnded, true)
      await host().write(answerFileFor('t1', { status: 'pending' }), { expectedRevision: 0 })
      same(await runner().open(openRecord('t1', { nonce: 'another' })), first)
      assert.equal((await host().read('t1')).runEnded, undefined)
    },
  },
  {
    name: 'a runner leaves no question that another has taken up, and none that has ended',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      const next = runner()
      const adopted = await next.open(openRecord('t1', { runId: 'run-2' }))
      await asking.leave('t1')
      same((await host().read('t1')).record, adopted)
      await host().write(answerFileFor('t1', { status: 'completed' }), { expectedRevision: 0 })
      const settled = await next.settle('t1', receiptOf())
      await next.leave('t1')
      same((await host().read('t1')).record, settled)
      await next.leave('unknown')
    },
  },
  {
    name: 'a restarted runner gets the receipt of a question that ended',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      await host().write(answerFileFor('t1', { status: 'completed' }), { expectedRevision: 0 })
      const settled = await asking.settle('t1', receiptOf())
      holds(settled, { ...openRecord('t1'), ...receiptOf() })
      same(await runner().open(openRecord('t1', { nonce: 'another' })), settled)
      same((await host().read('t1')).record, settled)
      same(await host().questions({ unsettled: true }), [])
    },
  },
  ...['open', 'settled'].map(
    (state): StoreCase => ({
      name: `a record that is ${state} is replaced if it may not be adopted`,
      async run({ runner, host }) {
        const earlier = runner()
        const first = await earlier.open(openRecord('t1'))
        const found = state === 'open' ? first : await earlier.settle('t1', receiptOf())
        const offered: QuestionRecord[] = []
        const mayAdopt = async (record: QuestionRecord): Promise<boolean> => {
          offered.push(record)
          return false
        }
        const record = openRecord('t1', { nonce: 'another' })
        const asking = runner()
        holds(await asking.open(record, { mayAdopt }), record)
        same(offered, [found])
        holds((await host().read('t1')).record, record)
        assert.equal((await asking.settle('t1', receiptOf())).nonce, 'another')
        await asking.open(openRecord('t2'), { mayAdopt })
        assert.equal(offered.length, 1)
      },
    }),
  ),
  {
    name: 'other questions under a tool call id that is taken are a CONFLICT',
    async run({ runner, host }) {
      const first = await runner().open(openRecord('t1'))
      const others = [
        openRecord('t1', { questions: [{ id: 'q1', question: 'Another one?' }] }),
        openRecord('t1', { kind: 'approval' }),
      ]
      for (const other of others) await refuses('CONFLICT', runner().open(other), 'open')
      same((await host().read('t1')).record, first)
    },
  },
  {
    name: 'an approval is for the one tool call that it was asked for',
    async run({ runner, host }) {
      const approval = (input: unknown) =>
        openRecord('t1', { kind: 'approval', subject: { toolName: 'Bash', input } })
      const first = await runner().open(approval({ command: 'ls' }))
      same(await runner().open(approval({ command: 'ls' })), first)
      await refuses('CONFLICT', runner().open(approval({ command: 'rm -r .' })), 'open')
      same((await host().read('t1')).record, first)
    },
  },
  {
    name: 'a question that no reader would take is TOO_LARGE, and nothing of it is recorded',
    async run({ runner, host }) {
      const input = { content: 'x'.repeat(2 * 1024 * 1024) }
      const tooLarge = openRecord('t1', { kind: 'approval', subject: { toolName: 'Write', input } })
      await refuses('TOO_LARGE', runner().open(tooLarge), 'open')
      same(await host().questions(), [])
    },
  },
  {
    name: 'runners that ask the same at once agree on one record',
    async run({ runner, host }) {
      const opened = await Promise.all(
        Array.from({ length: 8 }, (_, n) => runner().open(openRecord('t1', { nonce: `n${n}` }))),
      )
      assert.equal(new Set(opened.map(({ nonce }) => nonce)).size, 1)
      assert.equal((await host().read('t1')).record?.nonce, opened[0]?.nonce)
    },
  },
  {
    name: 'states of listed records come in their order, with drafts and answers',
    async run({ runner, host }) {
      const ids = ['t1', 't2', 't3']
      for (const id of ids) await runner().open(openRecord(id))
      await host().write(answerFileFor('t2'), { expectedRevision: 0 })
      await host().write(answerFileFor('t3', { status: 'declined' }), { expectedRevision: 0 })
      const records = (await host().questions()).toReversed()
      const states = (await host().states(records)) as {
        toolCallId: string
        answerFile?: { status: string }
      }[]
      assert.deepEqual(
        states.map(({ toolCallId, answerFile }) => [toolCallId, answerFile?.status]),
        records.map(({ toolCallId }) => [
          toolCallId,
          { t1: undefined, t2: 'pending', t3: 'declined' }[toolCallId],
        ]),
      )
      same(await host().states([]), [])
    },
  },
]
