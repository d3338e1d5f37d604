// Asks and answers one question after the other, several at once, for a time. Sends its memory and descriptors at intervals.

import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { descriptors } from '../lib/descriptors.ts'
import { requestOf } from '../lib/timed-answer.ts'

export interface SoakSample {
  /** How many questions were answered by then. */
  questions: number
  /** CPU time of the process, in milliseconds. */
  cpuMs: number
  rssBytes: number
  fds: number | null
}

const AT_ONCE = 8
const EVERY_MS = 1000

const [workdir = '', minutes] = process.argv.slice(2)
const channel = createFileRunnerChannel({ workdir })
const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
const endsAt = performance.now() + Number(minutes) * 60_000

let asked = 0
let questions = 0
/** CPU time for the samples themselves, in milliseconds: on a slow machine, more of them come for each question. */
let sampledMs = 0
const timer = setInterval(sample, EVERY_MS)
await Promise.all(Array.from({ length: AT_ONCE }, askOn))
clearInterval(timer)
sample()
process.disconnect?.()
process.exit()

async function askOn(): Promise<void> {
  while (performance.now() < endsAt) {
    const toolCallId = `ask-${asked++}`
    await askUser(channel, requestOf(toolCallId), { onAsked: () => answer(toolCallId) })
    questions += 1
  }
}

async function answer(toolCallId: string): Promise<void> {
  await submitAnswer(sandbox, { toolCallId, status: 'completed', answers: { 'Which language?': 'Python' } })
}

function cpuNow(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function sample(): void {
  const before = cpuNow()
  globalThis.gc?.()
  sampledMs += cpuNow() - before
  const cpuMs = cpuNow() - sampledMs
  const taken: SoakSample = { questions, cpuMs, rssBytes: process.memoryUsage().rss, fds: descriptors() }
  process.send?.(taken)
}
