// Runners of one run, in a process of their own. It asks what its parent names, and says by the clock that all processes share
// when it had each answer.

import { createRunnerChannel } from '@sandagent/core/store'
import { askUser, createVerifiedChannel, parsePublicKeys } from '@sandagent/runner'
import pLimit from 'p-limit'
import { requestOf } from '../lib/timed-answer.ts'
import { carrierOf } from './carriers.ts'

const [name, url = '', namespace = ''] = process.argv.slice(2)
const publicKeys = parsePublicKeys(process.env.SANDAGENT_PUBLIC_KEYS ?? '')
const channel = createVerifiedChannel(createRunnerChannel(carrierOf(name).runner(url, namespace)), {
  publicKeys,
})

/** Questions that are asked at once, as far as the connections go. */
const asking = pLimit(20)

process.on('message', async ({ ids, isAnswered }: { ids: string[]; isAnswered: boolean }) => {
  await Promise.all(ids.map((id) => asking(() => asked(id, isAnswered))))
  process.send?.({ asked: ids.length })
})

/** Resolves once the question is asked. */
const asked = (toolCallId: string, isAnswered: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = { ...requestOf(toolCallId), runId: namespace }
    askUser(channel, request, { onAsked: () => resolve() }).then(() => {
      if (isAnswered) process.send?.({ toolCallId, resolvedAt: String(process.hrtime.bigint()) })
    }, reject)
  })
