// A runner of the fleet: asks many questions, and notes when each call resolved.

import { createRunnerChannel } from '@sandagent/core/store'
import { createPostgresFleet } from '@sandagent/postgres'
import { askUser } from '@sandagent/runner'
import { requestOf } from '../../lib/timed-answer.ts'
import { cpuMsSince, nowMs } from './now-ms.ts'
import { createTimedPool, type Statement } from './timed-pool.ts'

/** First to ask, then to wait until all are answered. */
export interface RunnerOrder {
  ask?: readonly string[]
}

export interface RunnerReport {
  /** By tool call id. */
  resolvedAt: Record<string, number>
  statements: Statement[]
  /** Since all were asked. */
  cpuMs: number
}

const [url = '', namespace = ''] = process.argv.slice(2)
const { pool, take } = createTimedPool(url)
const channel = createRunnerChannel(createPostgresFleet({ pool }).questions(namespace))

/** So many questions are asked at once. */
const AT_ONCE = 8

let resolvedAt: RunnerReport['resolvedAt'] = {}
let waiting: Promise<void>[] = []
let cpu = process.cpuUsage()

/** Resolves once it is asked. */
const ask = (toolCallId: string): Promise<void> =>
  new Promise((onAsked, onFailed) => {
    const waits = askUser(channel, requestOf(toolCallId), { onAsked: () => onAsked() }).then(() => {
      resolvedAt[toolCallId] = nowMs()
    })
    waits.catch(onFailed)
    waiting.push(waits)
  })

process.on('message', async ({ ask: toolCallIds }: RunnerOrder) => {
  if (toolCallIds) {
    const left = [...toolCallIds]
    const some = async (): Promise<void> => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await ask(id)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, some))
    take()
    cpu = process.cpuUsage()
    process.send?.({ resolvedAt: {}, statements: [], cpuMs: 0 } satisfies RunnerReport)
    return
  }
  await Promise.all(waiting)
  process.send?.({ resolvedAt, statements: take(), cpuMs: cpuMsSince(cpu) } satisfies RunnerReport)
  resolvedAt = {}
  waiting = []
})
process.send?.('ready')
