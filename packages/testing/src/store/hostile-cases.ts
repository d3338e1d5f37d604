import assert from 'node:assert/strict'
import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { eventually, refuses, same } from '../expect.ts'
import { firstOf, type StoreCase, withChanges } from './context.ts'
import { answerFileFor, openRecord } from './records.ts'

const ANSWER = answerFileFor('t1', { status: 'completed' })

/** Texts that are no answer, and no record. */
const MALFORMED: Record<string, string> = {
  empty: '',
  torn: JSON.stringify(ANSWER).slice(0, 40),
  'of another type': '[1, 2]',
  'nested deeply': '['.repeat(100_000),
  huge: ' '.repeat(MAX_FILE_BYTES + 1),
  'about another question': JSON.stringify(answerFileFor('t9', { status: 'completed' })),
}

export const hostileCases: readonly StoreCase[] = [
  ...Object.entries(MALFORMED).map(
    ([what, text]): StoreCase => ({
      name: `an answer that is ${what} counts as none, and the wait goes on`,
      needs: 'putAnswer',
      async run({ runner, host, putAnswer }) {
        const asking = runner()
        await asking.open(openRecord('t1'))
        const awaited = firstOf(asking, 't1')
        await putAnswer('t1', text)
        assert.equal(await asking.read('t1'), null)
        const { record, answerFile } = await host().read('t1')
        assert.equal(record?.toolCallId, 't1')
        assert.equal(answerFile, undefined)
        await host().write(ANSWER, { expectedRevision: 0 })
        same(await awaited, ANSWER)
      },
    }),
  ),
  ...Object.entries(MALFORMED).map(
    ([what, text]): StoreCase => ({
      name: `a record that is ${what} keeps nobody from other questions`,
      needs: 'putRecord',
      async run({ runner, host, putRecord }) {
        await runner().open(openRecord('t2'))
        await runner().open(openRecord('t1'))
        await withChanges(host(), async (changed) => {
          await putRecord('t1', text)
          const ids = (await host().questions()).map(({ toolCallId }) => toolCallId)
          assert.deepEqual(ids, ['t2'])
          await host().write(answerFileFor('t2'), { expectedRevision: 0 })
          await changed(({ toolCallId, answerFile }) => toolCallId === 't2' && answerFile !== undefined)
        })
      },
    }),
  ),
  {
    name: 'an answer that a later version has stored is not written over',
    needs: 'putAnswer',
    async run({ runner, host, putAnswer }) {
      await runner().open(openRecord('t1'))
      await putAnswer('t1', JSON.stringify({ ...ANSWER, version: 2 }))
      await refuses('UNREACHABLE', host().write(ANSWER, { expectedRevision: 0 }), 'a write')
    },
  },
  {
    name: 'an answer that cannot be read is UNREACHABLE, and never missing',
    needs: 'hideAnswer',
    async run({ runner, host, hideAnswer }) {
      const asking = runner()
      const record = await asking.open(openRecord('t1'))
      await asking.open(openRecord('t2'))
      await host().write(answerFileFor('t1'), { expectedRevision: 0 })
      const show = await hideAnswer('t1')
      try {
        await refuses('UNREACHABLE', asking.read('t1'), 'the runner’s read')
        await refuses('UNREACHABLE', host().read('t1'), 'the host’s read')
        await refuses('UNREACHABLE', host().write(ANSWER, { expectedRevision: 0 }), 'a write')
        // A store that hides more than this answer refuses the whole call.
        const [state] = await host()
          .states([record])
          .catch((error: unknown) => [error])
        assert.equal((state as { code?: string }).code, 'UNREACHABLE', 'states')
      } finally {
        await show()
      }
      await eventually(async () => assert.equal((await asking.read('t1'))?.status, 'pending'))
      assert.equal((await host().read('t1')).answerFile?.status, 'pending')
    },
  },
]
