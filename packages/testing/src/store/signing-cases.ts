import assert from 'node:assert/strict'
import {
  ANSWER_TOKEN_TYPE,
  type AnswerFile,
  answerClaims,
  answerFileOf,
  type BoundAnswerFile,
  misplaced,
  parseAnswerClaims,
  type QuestionRecord,
  systemClock,
} from '@sandagent/core/internal'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk/internal'
import { same } from '../expect.ts'
import { firstOf, type StoreCase } from './context.ts'
import { answerFileFor, openRecord } from './records.ts'

const FACTS = { type: ANSWER_TOKEN_TYPE, clock: systemClock }
const HOUR_MS = 3_600_000

/** Signs answers, and accepts what it signed for one record, as hosts and runners do. */
async function signing() {
  const keys = await parseSigningKeys(await createSigningKey())
  return {
    async signed(answerFile: BoundAnswerFile, record: QuestionRecord): Promise<BoundAnswerFile> {
      const claims = answerClaims(answerFile, record)
      return { ...answerFile, signature: await keys.sign(claims, { ...FACTS, lifetimeMs: HOUR_MS }) }
    },
    acceptFor: (record: QuestionRecord) => ({
      async accept({ signature }: AnswerFile): Promise<AnswerFile | null> {
        if (signature === undefined) return null
        const claims = parseAnswerClaims(await keys.verify(signature, FACTS))
        return misplaced(claims, record, [record.runId]) ? null : answerFileOf(claims, record, signature)
      },
    }),
  }
}

export const signingCases: readonly StoreCase[] = [
  {
    name: 'a signed answer arrives with its signature, and is the one that counts',
    async run({ runner, host }) {
      const { signed, acceptFor } = await signing()
      const asking = runner()
      const record = await asking.open(openRecord('t1'))
      const options = acceptFor(record)
      const awaited = firstOf(asking, 't1', options)
      await host().write(answerFileFor('t1', { answeredBy: 'forger' }), { expectedRevision: 0 })
      assert.equal(await asking.read('t1', options), null)
      const answer = answerFileFor('t1', { revision: 2, status: 'completed', answeredBy: 'somebody' })
      await host().write(await signed(answer, record), { expectedRevision: 1 })
      for (const found of [await awaited, await asking.read('t1', options)])
        same([found?.answeredBy, found?.status, found?.revision], ['somebody', 'completed', 2])
    },
  },
  {
    name: 'a signed answer to another question is not delivered',
    async run({ runner, host }) {
      const { signed, acceptFor } = await signing()
      const asking = runner()
      const record = await asking.open(openRecord('t1'))
      const other = await asking.open(openRecord('t2'))
      const { signature = '' } = await signed(answerFileFor('t2', { status: 'completed' }), other)
      await host().write({ ...answerFileFor('t1'), signature }, { expectedRevision: 0 })
      assert.equal(await asking.read('t1', acceptFor(record)), null)
    },
  },
]
