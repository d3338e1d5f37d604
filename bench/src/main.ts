// Measures what users feel: how long an answer takes to reach the agent that waits for it.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type IsolationCost, measureIsolation } from './isolation.ts'
import { type LongChat, measureLongChat } from './long-chat.ts'
import { measureResume, type Resume } from './resume.ts'
import { measureScale, printScale } from './scale.ts'
import { measureSettled, type SettledCost } from './settled.ts'
import { measureStack, type Stack } from './stack.ts'
import { startWriter } from './writer.ts'

/** What the median of `askUser` should stay below, in milliseconds. */
const GOAL_P50_MS = 5

/** How many durable writes the whole way of an answer may take in the median. */
const GOAL_DURABLE_WRITES = 2.2

/** What isolation may add in the median, in milliseconds. */
const GOAL_START_OVERHEAD_MS = 400
const GOAL_RESUME_OVERHEAD_MS = 1

const { values } = parseArgs({ options: { json: { type: 'string' } } })

const workdir = await mkdtemp(join(tmpdir(), 'sandagent-bench-'))
const writer = startWriter()
try {
  const resume = await measureResume(workdir, writer)
  print(resume)
  const stack = await measureStack(join(workdir, 'stack'))
  printStack(stack)
  const isolation = await measureIsolation(workdir, writer)
  if (isolation) printIsolation(isolation)
  else console.log('\nIsolation is not measured: programs cannot be isolated here')
  const longChat = await measureLongChat()
  printLongChat(longChat)
  const settled = await measureSettled()
  printSettled(settled)
  const scale = await measureScale()
  printScale(scale)
  if (values.json !== undefined)
    await writeFile(
      values.json,
      `${JSON.stringify({ resume: numbersOf(resume), stack: stackNumbers(stack), isolation, longChat, settled, ...scale }, null, 2)}\n`,
    )
} finally {
  writer.end()
  await rm(workdir, { recursive: true })
}

function print({ askUser, noticed, floor, poll500 }: Resume): void {
  console.log('From rename() in another process until the waiting one has the answer, in milliseconds\n')
  console.table({
    'askUser resolved': askUser,
    'askUser has read the answer': noticed,
    'bare fs.watch (the floor)': floor,
    '500 ms poll': poll500,
  })
  const met = askUser.p50Ms <= GOAL_P50_MS
  console.log(`\nGoal: askUser p50 at most ${GOAL_P50_MS} ms: ${met ? 'met' : 'missed'}`)
}

function printStack({ stored, resolved, durableWrite }: Stack): void {
  console.log('\nFrom the POST of an answer to a signed run, over HTTP, in milliseconds\n')
  console.table({
    'the request was answered': stored,
    'askUser resolved': resolved,
    'one durable atomic write, for comparison': durableWrite,
  })
  const goalMs = GOAL_DURABLE_WRITES * durableWrite.p50Ms
  const met = Math.max(stored.p50Ms, resolved.p50Ms) <= goalMs ? 'met' : 'missed'
  console.log(`\nGoal: p50 at most ${GOAL_DURABLE_WRITES} durable writes, ${goalMs.toFixed(2)} ms: ${met}`)
}

function stackNumbers({ stored, resolved, durableWrite }: Stack): Record<string, number> {
  return {
    p50Ms: resolved.p50Ms,
    p99Ms: resolved.p99Ms,
    storedP50Ms: stored.p50Ms,
    storedP99Ms: stored.p99Ms,
    durableWriteP50Ms: durableWrite.p50Ms,
  }
}

function printLongChat(chat: LongChat): void {
  console.log('\nA chat of many questions on a page, by React’s profiler\n')
  console.table(chat)
  const met = chat.commitsPerKeystroke <= 1 && chat.commitsElsewhere === 0 && chat.sessions === chat.waiting
  console.log(
    `\nGoal: a session per waiting question, a commit per keystroke, none elsewhere: ${met ? 'met' : 'missed'}`,
  )
}

function printSettled({ withoutStamps, ...cost }: SettledCost): void {
  console.log(`\nOf ${cost.settled} questions that ended, in milliseconds\n`)
  console.table({
    'first list': cost.firstListMs,
    'each further list': cost.nextListMs,
    'first look of a watch': cost.firstWatchRoundMs,
    'each further look of a watch': cost.nextWatchRoundMs,
    'list, reading all': withoutStamps.listMs,
    'look of a watch, reading all': withoutStamps.watchRoundMs,
  })
}

function printIsolation(cost: IsolationCost): void {
  console.log('\nWith strict isolation and without, in milliseconds\n')
  console.table({
    'start of a program, none': cost.start.none,
    'start of a program, strict': cost.start.strict,
    'start of a program, strict against none': cost.start.overhead,
    'answer until askUser resolved, none': cost.resume.none,
    'answer until askUser resolved, strict': cost.resume.strict,
    'answer until askUser resolved, strict against none': cost.resume.overhead,
  })
  const goals = [
    ['start', cost.start, GOAL_START_OVERHEAD_MS],
    ['answer', cost.resume, GOAL_RESUME_OVERHEAD_MS],
  ] as const
  console.log()
  for (const [what, { overhead }, goalMs] of goals) {
    const overheadMs = overhead.p50Ms
    const met = overheadMs <= goalMs ? 'met' : 'missed'
    console.log(`Goal: strict adds at most ${goalMs} ms to the ${what}: ${met}, ${overheadMs.toFixed(2)} ms`)
  }
}

function numbersOf({ askUser, noticed, floor, poll500 }: Resume): Record<string, number> {
  return {
    samples: askUser.samples,
    p50Ms: askUser.p50Ms,
    p95Ms: askUser.p95Ms,
    p99Ms: askUser.p99Ms,
    noticedP50Ms: noticed.p50Ms,
    noticedP99Ms: noticed.p99Ms,
    floorP50Ms: floor.p50Ms,
    floorP99Ms: floor.p99Ms,
    poll500P50Ms: poll500.p50Ms,
    poll500Samples: poll500.samples,
    goalP50Ms: GOAL_P50_MS,
  }
}
