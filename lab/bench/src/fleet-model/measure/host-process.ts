// A host of the fleet: answers the questions that it is ordered to answer.

import { setTimeout as sleep } from 'node:timers/promises'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createPostgresFleet } from '@sandagent/postgres'
import { submitAnswer } from '@sandagent/sdk'
import { createRandom, exponential } from '../random.ts'
import { cpuMsSince, nowMs } from './now-ms.ts'
import { createTimedPool, type Statement } from './timed-pool.ts'

export interface HostOrder {
  namespace: string
  toolCallIds: readonly string[]
  /** Answers come at random times, or so many at a time with a pause behind each. */
  load: { perSecond: number; seed: number } | { inFlight: number; thinkMs: number }
}

export interface HostReport {
  /** By tool call id. */
  answers: Record<string, { startedAt: number; storedAt: number }>
  statements: Statement[]
  cpuMs: number
}

const { pool, take } = createTimedPool(process.argv[2] ?? '')
const fleet = createPostgresFleet({ pool })

process.on('message', async ({ namespace, toolCallIds, load }: HostOrder) => {
  const sandbox = fleetSandbox(fleet, namespace)
  const answers: HostReport['answers'] = {}
  const answer = async (toolCallId: string): Promise<void> => {
    const startedAt = nowMs()
    await submitAnswer(sandbox, {
      toolCallId,
      status: 'completed',
      responses: { q1: { selected: ['Python'], source: 'human' } },
    })
    answers[toolCallId] = { startedAt, storedAt: nowMs() }
  }
  take()
  const cpu = process.cpuUsage()
  if ('inFlight' in load) {
    const left = [...toolCallIds]
    const one = async (): Promise<void> => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        await answer(id)
        if (load.thinkMs > 0) await sleep(load.thinkMs)
      }
    }
    await Promise.all(Array.from({ length: load.inFlight }, one))
  } else await atRandom(toolCallIds, load, answer)
  process.send?.({ answers, statements: take(), cpuMs: cpuMsSince(cpu) } satisfies HostReport)
})
process.send?.('ready')

async function atRandom(
  toolCallIds: readonly string[],
  { perSecond, seed }: { perSecond: number; seed: number },
  answer: (toolCallId: string) => Promise<void>,
): Promise<void> {
  const random = createRandom(seed)
  const running: Promise<void>[] = []
  let dueAt = nowMs()
  for (const id of toolCallIds) {
    dueAt += exponential(random, 1000 / perSecond)
    const pause = dueAt - nowMs()
    // Timers count whole milliseconds. A shorter pause is left out.
    if (pause >= 0.5) await sleep(pause)
    running.push(answer(id))
  }
  await Promise.all(running)
}
