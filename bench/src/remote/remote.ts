import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'
import { createAnswerHandler } from '@sandagent/sdk'
import { RemoteSandbox } from '@sandagent/sdk/remote'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { summarize } from '../lib/statistics.ts'
import { requestOf } from '../lib/timed-answer.ts'
import { delayedRelay } from './delayed-relay.ts'

const ROUND_TRIP_MS = 100

export const remote: Scenario = defineScenario({
  title: `an answer over a relay, ${ROUND_TRIP_MS} ms away and back`,
  keys: {
    roundTripsPerAnswer: 'requests that wait for each other, for an answer to a question that nobody follows',
    followedRoundTripsPerAnswer: 'the same while a page follows the question',
    resumedP50Ms: 'from the POST of that until askUser resolved, median',
    resumedP99Ms: 'the same, 99th percentile',
    idleMessages: 'messages in 10 seconds, both ways, while a followed question waits',
  },
  measure: ({ quick }) => inFolder((folder) => measureRemote(folder, quick ? 20 : 100)),
  goals: ({ roundTripsPerAnswer, resumedP50Ms, idleMessages }) => [
    { text: 'at most two round trips', figure: roundTripsPerAnswer, most: 2 },
    { text: 'p50 at most one round trip and 15 ms', figure: resumedP50Ms, most: ROUND_TRIP_MS + 15 },
    { text: 'less than one message in 10 seconds', figure: idleMessages, most: 0.99 },
  ],
})

const COMMAND = fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url))
const URL_OF_API = 'http://localhost/api/answer'

/** How long nothing happens, in milliseconds. */
const IDLE_MS = 60_000

async function measureRemote(folder: string, samples: number) {
  const workdir = join(folder, 'workdir')
  const { connect, sent } = delayedRelay(ROUND_TRIP_MS)
  const sandbox = new RemoteSandbox({
    name: 'bench',
    workdir,
    relay: [process.execPath, COMMAND],
    isolation: 'none',
    connect,
  })
  const { GET, POST } = createAnswerHandler({ sandbox, authorize: () => true, signingKeys: null })
  const channel = createFileRunnerChannel({ workdir })
  await sandbox.files.list('.')

  const post = async (toolCallId: string): Promise<void> => {
    const { questions } = requestOf(toolCallId)
    const responses = { q1: { selected: [questions[0]?.options?.[0]?.label ?? ''], source: 'human' } }
    const body = JSON.stringify({ toolCallId, responses, status: 'completed' })
    const headers = { 'content-type': 'application/json' }
    const response = await POST(new Request(URL_OF_API, { method: 'POST', headers, body }))
    if (!response.ok) throw new Error(await response.text())
  }
  const follow = async (toolCallId: string): Promise<() => Promise<void>> => {
    const headers = { accept: 'text/event-stream' }
    const { body } = await GET(new Request(`${URL_OF_API}?toolCallId=${toolCallId}`, { headers }))
    const reader = body?.getReader()
    const decoder = new TextDecoder()
    for (let text = ''; !text.includes(toolCallId); ) text += decoder.decode((await reader?.read())?.value)
    return async () => reader?.cancel()
  }
  const asked = (toolCallId: string) =>
    new Promise<{ outcome: Promise<unknown> }>((resolve, reject) => {
      const outcome = askUser(channel, requestOf(toolCallId), { onAsked: () => resolve({ outcome }) })
      outcome.catch(reject)
    })
  const requestsIn = (messages: readonly string[]): number =>
    messages.filter((text) => text.includes('"call":')).length

  const requests = { alone: 0, followed: 0 }
  const times: bigint[] = []
  for (let round = 0; round < samples; round++) {
    const alone = await asked(`alone-${round}`)
    let before = sent.toRelay.length
    await post(`alone-${round}`)
    requests.alone += requestsIn(sent.toRelay.slice(before))
    await alone.outcome

    const { outcome } = await asked(`followed-${round}`)
    const leave = await follow(`followed-${round}`)
    before = sent.toRelay.length
    const beganAt = process.hrtime.bigint()
    const posted = post(`followed-${round}`)
    await outcome
    times.push(process.hrtime.bigint() - beganAt)
    await posted
    requests.followed += requestsIn(sent.toRelay.slice(before))
    await leave()
  }

  await asked('idle')
  const leave = await follow('idle')
  await sleep(3 * ROUND_TRIP_MS) // What was on its way has arrived.
  const before = sent.toRelay.length + sent.toHost.length
  await sleep(IDLE_MS)
  const idle = sent.toRelay.length + sent.toHost.length - before
  await leave()
  sandbox.close()
  const { p50Ms, p99Ms } = summarize(times)
  return {
    roundTripsPerAnswer: requests.alone / samples,
    followedRoundTripsPerAnswer: requests.followed / samples,
    resumedP50Ms: p50Ms,
    resumedP99Ms: p99Ms,
    idleMessages: (idle * 10_000) / IDLE_MS,
  }
}
