import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFileRunnerChannel, stateFolders } from '@sandagent/files/internal'
import { askUser } from '@sandagent/runner'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { summarize } from '../lib/statistics.ts'
import { requestOf, timedAnswer } from '../lib/timed-answer.ts'
import { startWriter, type Writer } from '../lib/writer.ts'
import { chokidarWait } from '../peers/chokidar.ts'
import { startRunnerCli } from '../peers/runner-cli.ts'
import { POLL_MS, waitByPoll, waitByWatch } from './waits.ts'

export const resume: Scenario = defineScenario({
  title: 'from rename() in another process until the waiting process has the answer',
  keys: {
    p50Ms: 'askUser resolved, median',
    p99Ms: 'askUser resolved, 99th percentile',
    noticedP50Ms: 'askUser had read the answer, median',
    floorP50Ms: 'a bare fs.watch, median',
    floorP99Ms: 'a bare fs.watch, 99th percentile',
    poll500P50Ms: 'a poll every 500 ms, median',
  },
  peerKeys: {
    chokidarP50Ms: 'chokidar alone, median',
    runnerCliP50Ms: 'the wait of SandAgent’s own runner, median',
  },
  measure: ({ quick }) => inFolder((folder) => measureResume(folder, quick ? 25 : 250)),
  goals: (figures) => [
    {
      text: 'p50 at most 1.3 × floor + 0.2 ms',
      figure: figures.p50Ms,
      most: 1.3 * figures.floorP50Ms + 0.2,
    },
    { text: 'p99 at most 2 × floor p99 + 1 ms', figure: figures.p99Ms, most: 2 * figures.floorP99Ms + 1 },
  ],
})

/** One poll in this many rounds, because each takes half a second. */
const ROUNDS_PER_POLL = 10
/** So many rounds come first and do not count: files are read for the first time, and code is compiled. */
const WARM_UP = 10
/** How long people take to answer, in milliseconds: short, but longer than it takes to begin the wait. */
const THINK_MS = 30
/** How long the file channel's poll needs to get as slow as it gets, in milliseconds. */
const QUIET_MS = 3000

/** Measures all ways of waiting in turns, so that whatever else the machine does meets all of them. */
async function measureResume(workdir: string, samples: number) {
  await mkdir(join(workdir, stateFolders().approvals), { recursive: true })
  const channel = createFileRunnerChannel({ workdir })
  const writer = startWriter()
  const times = {
    resolved: [] as bigint[],
    noticed: [] as bigint[],
    floor: [] as bigint[],
    poll: [] as bigint[],
    chokidar: [] as bigint[],
    runnerCli: [] as bigint[],
  }

  const waitByChokidar = await chokidarWait()
  await mkdir(join(workdir, 'chokidar'))
  const runnerCli = startRunnerCli(join(workdir, 'runner-cli'))

  // People take their time, so the poll of the folder has slowed down when they answer: a question that nobody answers
  // keeps it like that. It is the watch that is measured, not a lucky poll.
  const idle = new AbortController()
  const unanswered = askUser(channel, requestOf('unanswered'), { signal: idle.signal })
  await sleep(QUIET_MS)

  for (let round = -WARM_UP; round < samples; round++) {
    const thinkMs = THINK_MS * (1 + Math.random())
    const { resolved, noticed } = await timedAnswer(channel, {
      toolCallId: `ask-${round}`,
      workdir,
      writer,
      thinkMs,
    })
    const floor = await timedWait(waitByWatch, join(workdir, `watch-${round}.json`), writer, thinkMs)
    if (round < 0) continue
    times.resolved.push(resolved)
    times.noticed.push(noticed)
    times.floor.push(floor)
    if (waitByChokidar) {
      const path = join(workdir, 'chokidar', `${round}.json`)
      times.chokidar.push(await timedWait(waitByChokidar, path, writer, thinkMs))
      await rm(path)
    }
    if (round % ROUNDS_PER_POLL > 0) continue
    const phaseMs = POLL_MS * Math.random()
    times.poll.push(await timedWait(waitByPoll, join(workdir, `poll-${round}.json`), writer, phaseMs))
    if (runnerCli) times.runnerCli.push(await runnerCli.answer(writer, phaseMs))
  }

  idle.abort()
  await unanswered
  runnerCli?.end()
  writer.end()
  const [resolved, floor] = [summarize(times.resolved), summarize(times.floor)]
  return {
    p50Ms: resolved.p50Ms,
    p99Ms: resolved.p99Ms,
    noticedP50Ms: summarize(times.noticed).p50Ms,
    floorP50Ms: floor.p50Ms,
    floorP99Ms: floor.p99Ms,
    poll500P50Ms: summarize(times.poll).p50Ms,
    ...(waitByChokidar && { chokidarP50Ms: summarize(times.chokidar).p50Ms }),
    ...(runnerCli && { runnerCliP50Ms: summarize(times.runnerCli).p50Ms }),
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
