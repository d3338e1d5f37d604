import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { treeCpuMs } from '../lib/cpu-time.ts'
import { durableWrite } from '../lib/durable-write.ts'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { type Summary, summarize } from '../lib/statistics.ts'
import { systemCallsDuring } from '../lib/system-calls.ts'
import { startRestate } from '../peers/restate.ts'
import { startBare } from './bare/start-bare.ts'
import { startStack } from './start-stack.ts'

export const stack: Scenario = defineScenario({
  title: 'from the POST of an answer to a signed run, over HTTP',
  keys: {
    p50Ms: 'askUser resolved in the runner, median',
    p99Ms: 'askUser resolved in the runner, 99th percentile',
    storedP50Ms: 'the request was answered, median',
    storedP99Ms: 'the request was answered, 99th percentile',
    bareP50Ms: 'the same by a host and a runner that check nothing, median',
    bareP99Ms: 'the same by them, 99th percentile',
    durableWriteP50Ms: 'one durable atomic write of a file of that size, median',
    hostCpuMs: 'CPU time of the host for an answer',
    systemCalls: 'system calls of the host for an answer, with those by which its threads wait',
  },
  peerKeys: {
    restateP50Ms: 'an awakeable of Restate, resolved over HTTP, median',
    restateP99Ms: 'the same, 99th percentile',
  },
  measure: ({ quick }) => inFolder((folder) => measureStack(folder, quick ? 30 : 300)),
  goals: ({ p50Ms, p99Ms, bareP50Ms, bareP99Ms, hostCpuMs, systemCalls }) => [
    { text: 'p50 at most 1.35 × bare', figure: p50Ms, most: 1.35 * bareP50Ms },
    { text: 'p99 at most 1.5 × bare and 2 ms', figure: p99Ms, most: 1.5 * bareP99Ms + 2 },
    { text: 'at most 2 ms of CPU', figure: hostCpuMs, most: 2 },
    { text: 'at most 35 system calls', figure: systemCalls, most: 35 },
  ],
})

/** So many come first and do not count: files are read for the first time, and code is compiled. */
const WARM_UP = 30
/** How long people take to answer, in milliseconds: short, but longer than it takes to begin the wait. */
const THINK_MS = 20
/** About what a signed answer with one question takes. */
const ANSWER_BYTES = 900
/** In so many answers after the others, system calls are counted: that takes longer. */
const COUNTED = 50

async function measureStack(folder: string, samples: number) {
  // The question that nobody answers keeps the poll slow: it is the watch that is measured, not a lucky poll.
  const running = await startStack(join(folder, 'stack'), { waiting: 1 })
  const bareFolder = join(folder, 'bare')
  await mkdir(bareFolder)
  const bare = await startBare(bareFolder)
  const restate = await startRestate(join(folder, 'restate'))
  const times = {
    stored: [] as bigint[],
    resolved: [] as bigint[],
    bare: [] as bigint[],
    durableWrite: [] as bigint[],
    restate: [] as bigint[],
  }
  let cpuMs = 0
  let calls: number | null = null
  try {
    for (let round = -WARM_UP; round < samples; round++) {
      if (round === 0) cpuMs = -treeCpuMs(running.hostPid)
      const { stored, resolved } = await running.answer(THINK_MS * (1 + Math.random()))
      const beganAt = process.hrtime.bigint()
      durableWrite(join(folder, 'durable.json'), 'x'.repeat(ANSWER_BYTES))
      const writtenAt = process.hrtime.bigint()
      const byBare = await bare.answer(THINK_MS * (1 + Math.random()))
      const byRestate = await restate?.answer(THINK_MS * (1 + Math.random()))
      if (round < 0) continue
      times.stored.push(stored)
      times.resolved.push(resolved)
      times.bare.push(byBare)
      times.durableWrite.push(writtenAt - beganAt)
      if (byRestate !== undefined) times.restate.push(byRestate)
    }
    cpuMs += treeCpuMs(running.hostPid)
    calls = await systemCallsDuring(running.hostPid, async () => {
      for (let n = 0; n < COUNTED; n++) await running.answer(THINK_MS)
    })
  } finally {
    await running.end()
    bare.end()
    await restate?.end()
  }
  const [stored, resolved, bareTimes] = [times.stored, times.resolved, times.bare].map(summarize) as [
    Summary,
    Summary,
    Summary,
  ]
  return {
    p50Ms: resolved.p50Ms,
    p99Ms: resolved.p99Ms,
    storedP50Ms: stored.p50Ms,
    storedP99Ms: stored.p99Ms,
    bareP50Ms: bareTimes.p50Ms,
    bareP99Ms: bareTimes.p99Ms,
    durableWriteP50Ms: summarize(times.durableWrite).p50Ms,
    hostCpuMs: cpuMs / samples,
    systemCalls: calls === null ? null : calls / COUNTED,
    ...(restate && restateFigures(summarize(times.restate))),
  }
}

const restateFigures = ({ p50Ms, p99Ms }: Summary) => ({ restateP50Ms: p50Ms, restateP99Ms: p99Ms })
