// A host of a fleet in a process of its own: answers what its parent names, and lists.

import { fleetSandbox } from '@sandagent/fleet-host'
import { loadSigningKeys, submitAnswer } from '@sandagent/sdk'
import pLimit from 'p-limit'
import { carrierOf } from './carriers.ts'

const [name, url = ''] = process.argv.slice(2)
const fleet = carrierOf(name).fleet(url)
const signingKeys = await loadSigningKeys()

/** How many answers are stored at once. */
const answering = pLimit(16)

type Order = { answers: { namespace: string; toolCallId: string }[] } | { list: number }

process.on('message', async (order: Order) => {
  const startedAt = process.hrtime.bigint()
  if ('list' in order) await fleet.unsettled({ limit: order.list })
  else
    await Promise.all(
      order.answers.map(({ namespace, toolCallId }) =>
        answering(() =>
          submitAnswer(
            fleetSandbox(fleet, namespace),
            { toolCallId, status: 'completed', answers: { 'Which language?': 'Python' } },
            { answeredBy: 'ada', signingKeys },
          ),
        ),
      ),
    )
  process.send?.({ startedAt: String(startedAt), endedAt: String(process.hrtime.bigint()) })
})
// The first use makes tables and buckets.
await fleet.unsettled({ limit: 1 })
process.send?.('ready')
