import { join } from 'node:path'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { delayedRelay } from './delayed-relay.ts'
import { measureRelay } from './measure-relay.ts'
import { measureSsh } from './measure-ssh.ts'

const ROUND_TRIP_MS = 100

export const remote: Scenario = defineScenario({
  title: `an answer over a relay, ${ROUND_TRIP_MS} ms away and back`,
  keys: {
    roundTripsPerAnswer: 'requests that wait for each other, for an answer to a question that nobody follows',
    followedRoundTripsPerAnswer: 'the same while a page follows the question',
    resumedP50Ms: 'from the POST of that until askUser resolved, median',
    resumedP99Ms: 'the same, 99th percentile',
    idleMessages: 'messages in 10 seconds, both ways, while a followed question waits',
    'ssh.roundTripsPerAnswer': 'over SSH: requests for an answer to a question that nobody follows',
    'ssh.followedRoundTripsPerAnswer': 'over SSH: the same while a page follows the question',
    'ssh.resumedP50Ms': 'over SSH: from the POST of that until askUser resolved, median',
    'ssh.resumedP99Ms': 'over SSH: the same, 99th percentile',
    'ssh.idleMessages': 'over SSH: messages in 10 seconds, both ways, while a followed question waits',
    'ssh.loopbackP50Ms': 'as `stack.p50Ms`, with a host that works over SSH on the loopback',
    'ssh.localP50Ms': 'as `stack.p50Ms`, in turns with it',
  },
  measure: ({ quick }) => inFolder((folder) => measureRemote(folder, quick ? 20 : 100)),
  goals: (figures) => [
    { text: 'at most two round trips', figure: figures.roundTripsPerAnswer, most: 2 },
    {
      text: 'p50 at most one round trip and 15 ms',
      figure: figures.resumedP50Ms,
      most: ROUND_TRIP_MS + 15,
    },
    { text: 'less than one message in 10 seconds', figure: figures.idleMessages, most: 0.99 },
    { text: 'over SSH, at most two round trips', figure: figures['ssh.roundTripsPerAnswer'], most: 2 },
    {
      text: 'over SSH, p50 at most one round trip and 15 ms',
      figure: figures['ssh.resumedP50Ms'],
      most: ROUND_TRIP_MS + 15,
    },
    {
      text: 'over SSH, less than one message in 10 seconds',
      figure: figures['ssh.idleMessages'],
      most: 0.99,
    },
    {
      text: 'over SSH on the loopback, p50 at most 2 × the local one',
      figure: figures['ssh.loopbackP50Ms'],
      most: 2 * figures['ssh.localP50Ms'],
    },
  ],
})

async function measureRemote(folder: string, samples: number) {
  const near = await measureRelay(join(folder, 'workdir'), delayedRelay(ROUND_TRIP_MS), samples)
  const ssh = await measureSsh(folder, { roundTripMs: ROUND_TRIP_MS, samples })
  return {
    ...near,
    'ssh.roundTripsPerAnswer': ssh?.roundTripsPerAnswer ?? null,
    'ssh.followedRoundTripsPerAnswer': ssh?.followedRoundTripsPerAnswer ?? null,
    'ssh.resumedP50Ms': ssh?.resumedP50Ms ?? null,
    'ssh.resumedP99Ms': ssh?.resumedP99Ms ?? null,
    'ssh.idleMessages': ssh?.idleMessages ?? null,
    'ssh.loopbackP50Ms': ssh?.loopbackP50Ms ?? null,
    'ssh.localP50Ms': ssh?.localP50Ms ?? null,
  }
}
