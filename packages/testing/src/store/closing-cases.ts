import assert from 'node:assert/strict'
import { storeAnswer } from '@sandagent/sdk/internal'
import { holds, refuses, same, soon } from '../expect.ts'
import { firstOf, type StoreCase } from './context.ts'
import { answerFileFor, openRecord, receiptOf } from './records.ts'

const ANSWER = { toolCallId: 't1', answers: { 'Which language?': 'A' }, status: 'completed' } as const
const TIMED_OUT = receiptOf({ state: 'timed-out', responses: {} })

export const closingCases: readonly StoreCase[] = [
  {
    name: 'a host sees a question that is closing, which can still be settled',
    async run({ runner, host }) {
      const asking = runner()
      const asked = await asking.open(openRecord('t1'))
      const closing = await asking.close('t1', 'timed-out')
      same(closing, { ...asked, state: 'closing', closingFor: 'timed-out' })
      same((await host().read('t1')).record, closing)
      same(await asking.close('t1', 'aborted'), closing)
      const { revision: _, ...timedOut } = TIMED_OUT
      const settled = await asking.settle('t1', timedOut)
      same(settled, { ...asked, ...timedOut })
      same((await host().read('t1')).record, settled)
      await refuses('CONFLICT', asking.close('t1', 'aborted'), 'close')
    },
  },
  {
    name: 'a restarted runner gets the question that is closing',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      const closing = await asking.close('t1', 'aborted')
      const again = runner()
      const adopted = { ...closing, runId: 'run-2' }
      same(await again.open(openRecord('t1', { nonce: 'another', runId: 'run-2' })), adopted)
      same((await host().read('t1')).record, adopted)
      holds(await again.settle('t1', receiptOf()), { state: 'answered', runId: 'run-2' })
    },
  },
  {
    name: 'a receipt is replaced by a later one',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      await asking.settle('t1', TIMED_OUT)
      await asking.settle('t1', receiptOf())
      holds((await host().read('t1')).record, receiptOf())
    },
  },
  {
    name: 'an answer that was acknowledged before a question closed is read afterwards',
    async run({ runner, host }) {
      for (let n = 0; n < 10; n++) {
        const id = `t${n}`
        const asking = runner()
        await asking.open(openRecord(id))
        // Both begin at once. If the answer is in first, the runner must find it.
        const storing = storeAnswer(host(), { ...ANSWER, toolCallId: id }, {}).then(
          () => 'stored',
          ({ code }: { code: string }) => code,
        )
        await asking.close(id, 'timed-out')
        const found = await asking.read(id)
        await asking.settle(id, found ? receiptOf() : TIMED_OUT)
        const told = await soon(storing, 'an answer beside a closing question')
        assert.equal(told, found ? 'stored' : 'GONE', 'the person and the agent were told different things')
      }
    },
  },
  {
    name: 'an answer to a closing question succeeds if the receipt says that it came in time',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      await asking.close('t1', 'timed-out')
      const storing = storeAnswer(host(), ANSWER, {})
      holds(await firstOf(asking, 't1'), { status: 'completed' })
      await asking.settle('t1', receiptOf())
      holds(await soon(storing, 'an answer to a closing question'), { status: 'completed' })
    },
  },
  {
    name: 'an answer to a closing question is GONE if the receipt tells of none',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      await asking.close('t1', 'timed-out')
      const storing = storeAnswer(host(), ANSWER, {})
      storing.catch(() => {})
      await asking.settle('t1', TIMED_OUT)
      await refuses('GONE', storing, 'the answer')
      await refuses('GONE', storeAnswer(host(), ANSWER, {}), 'a later answer')
    },
  },
  {
    name: 'another answer to a closing question is GONE, too, if the receipt tells of none',
    async run({ runner, host }) {
      const asking = runner()
      await asking.open(openRecord('t1'))
      await asking.close('t1', 'timed-out')
      await host().write(answerFileFor('t1', { status: 'completed', answeredBy: 'first' }), {
        expectedRevision: 0,
      })
      const storing = storeAnswer(host(), ANSWER, { answeredBy: 'second' })
      storing.catch(() => {})
      await asking.settle('t1', TIMED_OUT)
      await refuses('GONE', storing, 'the second answer')
    },
  },
  {
    name: 'a write is a CONFLICT when another question has taken the place of the expected one',
    async run({ runner, host }) {
      const { nonce, runId } = openRecord('t1')
      const expectedRecord = { nonce, runId, questionDigest: 'of another question' }
      for (const isAsked of [false, true]) {
        if (isAsked) await runner().open(openRecord('t1'))
        const written = host().write(answerFileFor('t1'), { expectedRevision: 0, expectedRecord })
        await refuses('CONFLICT', written, 'a write to another question')
      }
      const none = host().write(answerFileFor('t1'), { expectedRevision: 0, expectedRecord: null })
      await refuses('CONFLICT', none, 'a write to a question that was not recorded')
      assert.equal((await host().read('t1')).answerFile, undefined)
      const { record } = await host().read('t1')
      same(await host().write(answerFileFor('t1'), { expectedRevision: 0 }), record)
    },
  },
]
