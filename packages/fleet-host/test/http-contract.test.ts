import { channelContract } from '@sandagent/testing'
import { describe, test } from 'vitest'
import { httpEnds } from './support/http-runners.ts'

describe('the channels of a runner over HTTP and of a host over the store', () => {
  const cases = channelContract(httpEnds, {
    remove: ({ close }) => close(),
    async putAnswer({ questions }, toolCallId, text) {
      const [stored] = await questions.read([toolCallId])
      await questions.writeAnswer(toolCallId, text, { expected: stored?.answer?.version ?? null })
    },
  })
  for (const { name, run } of cases) test(name, run)
})
