import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { LocalSandbox, readRun, startRun } from '@sandagent/sdk'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import type { ReplayCost, ReplayOrder } from './replay-process.ts'

export const replay: Scenario = defineScenario({
  title: 'the log of a run, 1 GB long, streamed by streamRun',
  keys: {
    mbPerSecond: 'replayed to one reader after the run, megabytes each second',
    followMbPerSecond: 'followed by one reader while the run prints as fast as it can, megabytes each second',
    rssMb: 'the most memory that a host had that replayed, followed, or served 50 slow readers, megabytes',
    slowRssMb: 'the host with 50 slow readers alone, megabytes',
  },
  measure: ({ megabytes }) => inFolder((workdir) => measureReplay(workdir, megabytes)),
  goals: ({ mbPerSecond, rssMb }) => [
    { text: 'at least 200 MB/s', figure: mbPerSecond, least: 200 },
    { text: 'at most 150 MB of memory', figure: rssMb, most: 150 },
  ],
})

const SLOW_READERS = { readers: 50, pauseMs: 50, stopMs: 10_000 }
const FAST_READER = { readers: 1, pauseMs: 0, stopMs: null }

async function measureReplay(workdir: string, megabytes: number) {
  const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
  const { runId } = await startRun(
    sandbox,
    {
      agent: 'bench',
      prompt: '',
      runner: [process.execPath, pathOf('log-runner.js'), `--megabytes=${megabytes}`],
      maxLogBytes: 2 * megabytes * 1024 * 1024,
    },
    { signingKeys: null },
  )
  const followed = await costOf({ workdir, runId, ...FAST_READER })
  while ((await readRun(sandbox, runId))?.state === 'running') await sleep(50)
  const replayed = await costOf({ workdir, runId, ...FAST_READER })
  const slow = await costOf({ workdir, runId, ...SLOW_READERS })
  return {
    mbPerSecond: megabytes / replayed.seconds,
    followMbPerSecond: megabytes / followed.seconds,
    rssMb: Math.max(followed.rssMb, replayed.rssMb, slow.rssMb),
    slowRssMb: slow.rssMb,
  }
}

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

async function costOf(order: ReplayOrder): Promise<ReplayCost> {
  const child = fork(pathOf('replay-process.js'), [JSON.stringify(order)])
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process that reads ended early')
  })
  const [cost] = (await Promise.race([once(child, 'message'), ended])) as [ReplayCost]
  return cost
}
