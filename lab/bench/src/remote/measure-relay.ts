import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createFileRunnerChannel } from '@sandagent/files'
import { RemoteSandbox } from '@sandagent/remote'
import { askUser } from '@sandagent/runner'
import { createAnswerHandler } from '@sandagent/sdk'
import { summarize } from '../lib/statistics.ts'
import { requestOf } from '../lib/timed-answer.ts'
import type { DelayedRelay } from './delayed-relay.ts'

export interface RelayFigures {
  roundTripsPerAnswer: number
  followedRoundTripsPerAnswer: number
  resumedP50Ms: number
  resumedP99Ms: number
  idleMessages: number
}

const COMMAND = fileURLToPath(new URL('../../../../packages/cli/dist/main.js', import.meta.url))
const URL_OF_API = 'http://localhost/api/answer'

/** How long nothing happens, in milliseconds. */
const IDLE_MS = 60_000
/** After that time, what was on its way has arrived. */
const SETTLED_MS = 500

/** Answers questions over a relay, each second one while a page follows it. */
export async function measureRelay(
  workdir: string,
  { connect, sent }: DelayedRelay,
  samples: number,
): Promise<RelayFigures> {
  const sandbox = new RemoteSandbox({
    name: workdir,
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
  await sleep(SETTLED_MS)
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
