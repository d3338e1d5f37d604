import assert from 'node:assert/strict'
import { onlyWinner, refuses, same } from '../expect.ts'
import type { StoreCase } from './context.ts'
import { answerFileFor, openRecord } from './records.ts'

export const writingCases: readonly StoreCase[] = [
  ...(['completed', 'declined'] as const).map(
    (status): StoreCase => ({
      name: `an answer that is ${status} never changes, whatever is written after it`,
      async run({ runner, host }) {
        const first = answerFileFor('t1', { status, answeredBy: 'first' })
        await host().write(first, { expectedRevision: 0 })
        for (const later of ['pending', 'completed', 'declined'] as const)
          for (const expectedRevision of [0, 1]) {
            const next = answerFileFor('t1', { status: later, revision: 2 })
            await assert.rejects(host().write(next, { expectedRevision }), {
              code: 'CONFLICT',
              facts: { answeredBy: 'first', timestamp: first.timestamp, status },
            })
          }
        same((await host().read('t1')).answerFile, first)
        same(await runner().read('t1'), first)
      },
    }),
  ),
  {
    name: 'a draft that was made from an older one is a CONFLICT',
    async run({ host }) {
      await host().write(answerFileFor('t1'), { expectedRevision: 0 })
      await refuses('CONFLICT', host().write(answerFileFor('t1'), { expectedRevision: 0 }), 'write')
      const second = answerFileFor('t1', { revision: 2 })
      await host().write(second, { expectedRevision: 1 })
      await host().persist()
      same((await host().read('t1')).answerFile, second)
    },
  },
  {
    name: 'exactly one of many hosts completes a question, and all see that one',
    async run({ runner, host }) {
      await runner().open(openRecord('t1'))
      const write = (n: number): Promise<unknown> => {
        const status = n % 2 ? 'completed' : 'declined'
        return host().write(answerFileFor('t1', { status, answeredBy: `${n}` }), { expectedRevision: 0 })
      }
      const winner = onlyWinner(await Promise.allSettled(Array.from({ length: 10 }, (_, n) => write(n))))
      assert.equal((await host().read('t1')).answerFile?.answeredBy, `${winner}`)
      assert.equal((await runner().read('t1'))?.answeredBy, `${winner}`)
    },
  },
  {
    name: 'exactly one of many drafts from the same state is stored',
    async run({ host }) {
      const sharing = host()
      onlyWinner(
        await Promise.allSettled(
          Array.from({ length: 10 }, () => sharing.write(answerFileFor('t1'), { expectedRevision: 0 })),
        ),
      )
    },
  },
  {
    name: 'an answer that is too long is TOO_LARGE, and what was there stays',
    async run({ host }) {
      const first = answerFileFor('t1')
      await host().write(first, { expectedRevision: 0 })
      const long = answerFileFor('t1', { revision: 2, reason: 'x'.repeat(2 ** 20) })
      await refuses('TOO_LARGE', host().write(long, { expectedRevision: 1 }), 'write')
      same((await host().read('t1')).answerFile, first)
    },
  },
]
