// Asks many questions at once, and either has all answered or waits. Prints what that cost, as JSON.

import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFileRunnerChannel, writeFileAtomic } from '@sandagent/files/internal'
import { askUser } from '@sandagent/runner'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { descriptors, watchCount } from '../lib/descriptors.ts'
import { requestOf } from '../lib/timed-answer.ts'

/** How long it takes until the asking is over in all its consequences, in milliseconds. */
const SETTLE_MS = 6000
/** About what the record of such a question takes. */
const RECORD_BYTES = 600
/** As many as the product writes at once on a local disk. */
const WRITES_AT_ONCE = 32

const [count, idleMs] = process.argv.slice(2).map(Number) as [number, number]
const workdir = process.cwd()
const ids = Array.from({ length: count }, (_, n) => `ask-${n}`)
const channel = createFileRunnerChannel({ workdir })
const sandbox = new LocalSandbox({ workdir, isolation: 'none' })

const floorSeconds = idleMs > 0 ? null : await bareWrites()
const heapBefore = heapBytes()
const startedAt = performance.now()
let lost = 0
let left = count
const { promise: allAsked, resolve: noteAll } = withResolvers()
const note = (): void => {
  left -= 1
  if (left === 0) noteAll()
}
const outcomes = ids.map((id) =>
  askUser(channel, requestOf(id), { timeoutMs: 'never', onAsked: note }).catch(() => {
    lost += 1
    note()
  }),
)
await allAsked
const seconds = (performance.now() - startedAt) / 1000

const idle = idleMs > 0 ? await idleCost() : null
if (idle === null) await answerAll()
console.log(JSON.stringify({ seconds, lost, idle, floorSeconds }))
process.exit()

/** The same number of new files of that size, written durably, and nothing else. */
async function bareWrites(): Promise<number> {
  mkdirSync('bare')
  const text = 'x'.repeat(RECORD_BYTES)
  const beganAt = performance.now()
  const write = (id: string): Promise<void> => writeFileAtomic(resolve('bare', id), text, { exclusive: true })
  const left = ids.values()
  const writeSome = async (): Promise<void> => {
    for (const id of left) await write(id)
  }
  await Promise.all(Array.from({ length: WRITES_AT_ONCE }, writeSome))
  return (performance.now() - beganAt) / 1000
}

async function answerAll(): Promise<void> {
  const answers = { 'Which language?': 'Python' }
  const answered = ids.map((toolCallId) =>
    submitAnswer(sandbox, { toolCallId, status: 'completed', answers }),
  )
  await Promise.all(answered.map((one) => one.catch(() => {})))
  const kinds = (await Promise.all(outcomes)).map((outcome) => outcome?.kind)
  lost += kinds.filter((kind) => kind !== undefined && kind !== 'answered').length
}

async function idleCost() {
  await sleep(SETTLE_MS)
  const cpuBefore = process.cpuUsage()
  await sleep(idleMs)
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    cpuPercent: (user + system) / 10 / idleMs,
    bytesPerWaiter: (heapBytes() - heapBefore) / count,
    fds: descriptors(),
    watches: watchCount(),
  }
}

function heapBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
