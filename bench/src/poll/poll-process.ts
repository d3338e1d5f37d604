// Waits for answers in a process in which the system refuses to watch. Sends what that cost.

import { setTimeout as sleep } from 'node:timers/promises'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'
import { summarize } from '../lib/statistics.ts'
import { requestOf, timedAnswer } from '../lib/timed-answer.ts'
import { startWriter } from '../lib/writer.ts'

/** What some that wait cost. */
export interface PollCost {
  p50Ms: number
  cpuPercent: number
}

/** What a process that waits is measured by. */
export interface PollOrder {
  workdir: string
  waiting: number
  samples: number
  idleMs: number
}

/** How long people take to answer, in milliseconds: the time between 0.5 and 3 seconds, so that no phase is preferred. */
const THINK_MS = { least: 500, span: 2500 }
/** How long it takes until the asking is over in all its consequences, in milliseconds. */
const SETTLE_MS = 4000

const { workdir, waiting, samples, idleMs }: PollOrder = JSON.parse(process.argv[2] ?? '')
let refused = false
const channel = createFileRunnerChannel({
  workdir,
  onWarning: ({ code }) => {
    refused ||= code === 'ENOSPC'
  },
})
// The last of them is the question that is answered.
await Promise.all(Array.from({ length: waiting - 1 }, (_, n) => waitFor(`unanswered-${n}`)))
const alone = new AbortController()
const last = askUser(channel, requestOf('unanswered'), { signal: alone.signal })
await sleep(SETTLE_MS)
const before = process.cpuUsage()
await sleep(idleMs)
const { user, system } = process.cpuUsage(before)
alone.abort()
await last

const writer = startWriter()
const times: bigint[] = []
for (let n = 0; n < samples; n++) {
  const thinkMs = THINK_MS.least + THINK_MS.span * Math.random()
  times.push((await timedAnswer(channel, { toolCallId: `ask-${n}`, workdir, writer, thinkMs })).resolved)
}
if (!refused) throw new Error('The system did watch, so polling was not measured')
const cost: PollCost = { p50Ms: summarize(times).p50Ms, cpuPercent: (user + system) / 10 / idleMs }
process.send?.(cost, () => process.exit())

/** Asks a question that nobody answers. Resolves once it is asked. */
function waitFor(toolCallId: string): Promise<void> {
  return new Promise((onAsked) => void askUser(channel, requestOf(toolCallId), { onAsked: () => onAsked() }))
}
