import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFileRunnerChannel, stateFolders } from '@sandagent/files/internal'
import { askUser } from '@sandagent/runner'
import { type Summary, summarize } from './statistics.ts'
import { requestOf, timedAnswer } from './timed-answer.ts'
import { POLL_MS, waitByPoll, waitByWatch } from './waits.ts'
import type { Writer } from './writer.ts'

/** From `rename()` in another process until the one that waits has the answer, by how it waits. */
export interface Resume {
  /** `askUser` over the file channel, until it resolved. */
  askUser: Summary
  /** The same, until it had read the answer and began to write its receipt. */
  noticed: Summary
  /** A bare `fs.watch`. */
  floor: Summary
  /** A poll every 500 ms. */
  poll500: Summary
}

const SAMPLES = 250
/** One poll in this many rounds, because each takes half a second. */
const ROUNDS_PER_POLL = 10
/** How long people take to answer, in milliseconds: short, but longer than it takes to begin the wait. */
const THINK_MS = 30
/** How long the file channel's poll needs to get as slow as it gets, in milliseconds. */
const QUIET_MS = 3000

/** Measures all ways of waiting in turns, so that whatever else the machine does meets all of them. */
export async function measureResume(workdir: string, writer: Writer): Promise<Resume> {
  await mkdir(join(workdir, stateFolders().approvals), { recursive: true })
  const channel = createFileRunnerChannel({ workdir })
  const times = {
    resolved: [] as bigint[],
    noticed: [] as bigint[],
    floor: [] as bigint[],
    poll: [] as bigint[],
  }

  // People take their time, so the poll of the folder has slowed down when they answer: a question that nobody answers
  // keeps it like that. It is the watch that is measured, not a lucky poll.
  const idle = new AbortController()
  const unanswered = askUser(channel, requestOf('unanswered'), { signal: idle.signal })
  await sleep(QUIET_MS)

  for (let round = 0; round < SAMPLES; round++) {
    const thinkMs = THINK_MS * (1 + Math.random())
    const { resolved, noticed } = await timedAnswer(channel, {
      toolCallId: `ask-${round}`,
      workdir,
      writer,
      thinkMs,
    })
    times.resolved.push(resolved)
    times.noticed.push(noticed)
    times.floor.push(await timedWait(waitByWatch, join(workdir, `watch-${round}.json`), writer, thinkMs))
    if (round % ROUNDS_PER_POLL > 0) continue
    const phaseMs = POLL_MS * Math.random()
    times.poll.push(await timedWait(waitByPoll, join(workdir, `poll-${round}.json`), writer, phaseMs))
  }

  idle.abort()
  await unanswered
  return {
    askUser: summarize(times.resolved),
    noticed: summarize(times.noticed),
    floor: summarize(times.floor),
    poll500: summarize(times.poll),
  }
}

/** Nanoseconds from the rename of a file, `thinkMs` milliseconds from now, until `wait` resolved to its content. */
async function timedWait(
  wait: (path: string) => Promise<unknown>,
  path: string,
  writer: Writer,
  thinkMs: number,
): Promise<bigint> {
  const gone = wait(path).then(() => process.hrtime.bigint())
  await sleep(thinkMs)
  const renamedAt = await writer.write({ path, text: '{ "status": "completed" }' })
  return (await gone) - renamedAt
}
