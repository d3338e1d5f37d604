import { storeContract } from '@sandagent/testing'
import { describe, test } from 'vitest'
import { httpHalves } from './support/http-runners.ts'

describe('a store whose runner reaches it over HTTP', () => {
  const cases = storeContract(httpHalves, {
    remove: ({ close }) => close(),
    async putAnswer({ questions }, toolCallId, text) {
      const [stored] = await questions.read([toolCallId])
      await questions.writeAnswer(toolCallId, text, { expected: stored?.answer?.version ?? null })
    },
  })
  for (const { name, run } of cases) test(name, run)
})
