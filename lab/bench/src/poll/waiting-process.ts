// Asks many questions, and has one after the other answered. Sends what that cost.

import { setTimeout as sleep } from 'node:timers/promises'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'
import { summarize } from '../lib/statistics.ts'
import { requestOf, timedAnswer } from '../lib/timed-answer.ts'
import { startWriter } from '../lib/writer.ts'

/** What questions that wait cost. */
export interface WaitingCost {
  p50Ms: number
  cpuPercent: number
}

/** What is measured. */
export interface WaitingOrder {
  workdir: string
  waiting: number
  /** Whether the system refuses to watch. */
  refuse: boolean
  samples: number
  idleMs: number
}

/** How long people take to answer, in milliseconds: the time between 0.5 and 3 seconds, so that no phase is preferred. */
const THINK_MS = { least: 500, span: 2500 }
/** How long it takes until the asking is over in all its consequences, in milliseconds. */
const SETTLE_MS = 4000

const { workdir, waiting, refuse, samples, idleMs }: WaitingOrder = JSON.parse(process.argv[2] ?? '')
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
const cpuPercent = idleMs > 0 ? await idleCpu() : 0
alone.abort()
await last

const writer = startWriter()
const times: bigint[] = []
for (let n = 0; n < samples; n++) {
  const thinkMs = THINK_MS.least + THINK_MS.span * Math.random()
  times.push((await timedAnswer(channel, { toolCallId: `ask-${n}`, workdir, writer, thinkMs })).resolved)
}
if (refuse !== refused) throw new Error(refuse ? 'The system did watch' : 'The system refused to watch')
const cost: WaitingCost = { p50Ms: summarize(times).p50Ms, cpuPercent }
process.send?.(cost, () => process.exit())

/** Of one core while nobody answers, percent. */
async function idleCpu(): Promise<number> {
  await sleep(SETTLE_MS)
  const before = process.cpuUsage()
  await sleep(idleMs)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 10 / idleMs
}

/** Asks a question that nobody answers. Resolves once it is asked. */
function waitFor(toolCallId: string): Promise<void> {
  return new Promise((onAsked) => void askUser(channel, requestOf(toolCallId), { onAsked: () => onAsked() }))
}
