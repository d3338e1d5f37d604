import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { treeCpuMs } from '../lib/cpu-time.ts'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { summarize } from '../lib/statistics.ts'
import { systemCallsDuring } from '../lib/system-calls.ts'
import { type Bare, type Guarantee, startBare } from './bare/start-bare.ts'

const ALL: readonly Guarantee[] = ['threads', 'claims', 'records', 'web']

export const guarantees: Scenario = defineScenario({
  title: 'what each guarantee costs: the bare way of stack, and more of it',
  keys: {
    bareP50Ms: 'a host and a runner that check nothing, median',
    bareCpuMs: 'CPU time of this host for an answer',
    bareSystemCalls: 'system calls of this host for an answer',
    threadsP50Ms: 'its syncs wait in a thread, so that a slow disk does not stop the host, median',
    threadsCpuMs: 'CPU time of this host',
    claimsP50Ms: 'of two answers one is first: two links more, median',
    claimsCpuMs: 'CPU time of this host',
    recordsP50Ms: 'the question is read, hashed and looked at again, without links on the way, median',
    recordsCpuMs: 'CPU time of this host',
    webP50Ms: 'functions of the host get a web request, median',
    webCpuMs: 'CPU time of this host',
    allP50Ms: 'all of this, median',
    allCpuMs: 'CPU time of this host',
    allSystemCalls: 'system calls of this host for an answer',
  },
  measure: ({ quick }) => inFolder((folder) => measureGuarantees(folder, quick ? 30 : 200)),
})

const WARM_UP = 30
const THINK_MS = 20
const COUNTED = 50

async function measureGuarantees(folder: string, samples: number) {
  const started: Bare[] = []
  const start = async (name: string, more: readonly Guarantee[]) => {
    await mkdir(join(folder, name))
    const bare = await startBare(join(folder, name), more)
    started.push(bare)
    return { bare, times: [] as bigint[], cpuMs: 0 }
  }
  try {
    const ways = {
      bare: await start('bare', []),
      threads: await start('threads', ['threads']),
      claims: await start('claims', ['claims']),
      records: await start('records', ['records']),
      web: await start('web', ['web']),
      all: await start('all', ALL),
    }
    for (let round = -WARM_UP; round < samples; round++)
      for (const way of Object.values(ways)) {
        if (round === 0) way.cpuMs = -treeCpuMs(way.bare.hostPid)
        const time = await way.bare.answer(THINK_MS * (1 + Math.random()))
        if (round >= 0) way.times.push(time)
      }
    for (const way of Object.values(ways)) way.cpuMs += treeCpuMs(way.bare.hostPid)
    const callsOf = async ({ bare }: { bare: Bare }): Promise<number | null> => {
      const calls = await systemCallsDuring(bare.hostPid, async () => {
        for (let n = 0; n < COUNTED; n++) await bare.answer(THINK_MS)
      })
      return calls === null ? null : calls / COUNTED
    }
    const { bare, threads, claims, records, web, all } = ways
    const p50Of = ({ times }: { times: bigint[] }): number => summarize(times).p50Ms
    return {
      bareP50Ms: p50Of(bare),
      bareCpuMs: bare.cpuMs / samples,
      bareSystemCalls: await callsOf(bare),
      threadsP50Ms: p50Of(threads),
      threadsCpuMs: threads.cpuMs / samples,
      claimsP50Ms: p50Of(claims),
      claimsCpuMs: claims.cpuMs / samples,
      recordsP50Ms: p50Of(records),
      recordsCpuMs: records.cpuMs / samples,
      webP50Ms: p50Of(web),
      webCpuMs: web.cpuMs / samples,
      allP50Ms: p50Of(all),
      allCpuMs: all.cpuMs / samples,
      allSystemCalls: await callsOf(all),
    }
  } finally {
    for (const bare of started) bare.end()
  }
}
