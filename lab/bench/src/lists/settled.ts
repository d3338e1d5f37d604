import { systemClock } from '@sandagent/core'
import { createFileHostChannel, createLocalFiles, type SandboxFiles } from '@sandagent/files'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { settleMany } from './settle-many.ts'

const SETTLED = 10_000

export const settled: Scenario = defineScenario({
  title: 'a host finds one open question among 10,000 that ended',
  keys: {
    firstListMs: 'the first list',
    nextListMs: 'each further list',
    firstWatchRoundMs: 'the first look of a watch',
    nextWatchRoundMs: 'each further look',
    unstampedListMs: 'a list that reads all files again',
    unstampedWatchRoundMs: 'a look that reads all files again',
  },
  measure: () => inFolder(measureSettled),
})

async function measureSettled(workdir: string) {
  await settleMany(workdir, SETTLED)
  const { stamps: _, ...plain } = createLocalFiles(workdir)
  const files = createLocalFiles(workdir)
  const [firstListMs, nextListMs] = [await listMs(files), await listMs(files)]
  const rounds = await watchRoundsMs(files, 4)
  return {
    firstListMs,
    nextListMs,
    firstWatchRoundMs: rounds[0] as number,
    nextWatchRoundMs: rounds.at(-1) as number,
    unstampedListMs: await listMs(plain),
    unstampedWatchRoundMs: (await watchRoundsMs(plain, 2)).at(-1) as number,
  }
}

async function listMs(files: SandboxFiles): Promise<number> {
  const startedAt = performance.now()
  await createFileHostChannel({ files }).questions({ unsettled: true })
  return performance.now() - startedAt
}

/** How long each of the first looks at everything takes. Between them no time passes. */
async function watchRoundsMs({ watch: _, ...files }: SandboxFiles, count: number): Promise<number[]> {
  const stop = new AbortController()
  const times: number[] = []
  let startedAt = performance.now()
  const after = (_: number, callback: () => void): (() => void) => {
    times.push(performance.now() - startedAt)
    if (times.length === count) stop.abort()
    const next = setImmediate(() => {
      startedAt = performance.now()
      callback()
    })
    return () => clearImmediate(next)
  }
  const channel = createFileHostChannel({ files, clock: { ...systemClock, after } })
  for await (const state of channel.subscribe(stop.signal)) void state
  return times
}
