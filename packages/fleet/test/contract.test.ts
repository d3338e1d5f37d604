import { createMemoryFleet } from '@sandagent/fleet'
import { storeContract } from '@sandagent/testing'
import { describe, test } from 'vitest'

function makeStore() {
  const fleet = createMemoryFleet()
  const store = fleet.questions('one')
  return {
    fleet,
    store,
    runner: () => store,
    host: () => store,
  }
}

describe('a store in memory', () => {
  const cases = storeContract(makeStore, {
    remove: ({ fleet }) => fleet.close(),
    beside: ({ fleet }) => ({ runner: () => fleet.questions('two'), host: () => fleet.questions('two') }),
    async sweep({ fleet }) {
      await fleet.sweep({ olderThanMs: -1 })
    },
    async putAnswer({ store }, toolCallId, text) {
      const [stored] = await store.read([toolCallId])
      await store.writeAnswer(toolCallId, text, { expected: stored?.answer?.version ?? null })
    },
    async putRecord({ store }, toolCallId, text) {
      const [stored] = await store.read([toolCallId])
      const facts = { runId: 'run-1', askedAt: '2026-01-01T00:00:00.000Z', isSettled: false }
      await store.writeRecord(toolCallId, text, { expected: stored?.record?.version ?? null, facts })
    },
  })
  for (const { name, run } of cases) test(name, run)
})
