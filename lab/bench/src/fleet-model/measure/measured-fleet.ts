import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { CarrierServer } from '../../fleet/carrier.ts'
import { machineCpuMs, treeCpuMs } from '../../lib/cpu-time.ts'
import { startWorker, type Worker } from '../../lib/worker.ts'
import type { HostOrder, HostReport } from './host-process.ts'
import { nowMs } from './now-ms.ts'
import type { RunnerOrder, RunnerReport } from './runner-process.ts'
import type { Statement } from './timed-pool.ts'

export const HOSTS = 2
export const RUNNERS = 2

/** An answer, from its arrival at a host until its call resolved. */
interface TimedAnswer {
  startedAt: number
  /** The host replied to the person. */
  storedAt: number
  resolvedAt: number
}

export interface Round {
  answers: TimedAnswer[]
  hostStatements: Statement[]
  runnerStatements: Statement[]
  /** The CPU time of all of it, until the last call resolved. */
  cpuMs: { server: number; hosts: number; runners: number }
  /** The share of the machine that other programs used. */
  othersShare: number
}

/** A real fleet on this machine: hosts and runners, each a process of its own, and one Postgres. */
export interface MeasuredFleet {
  /** Asks so many questions, and has them answered. One host alone answers if it is not `shared`. */
  answer(count: number, load: LoadOrder): Promise<Round>
  end(): void
}

export type LoadOrder = { perSecond: number } | { inFlight: number; thinkMs: number; isAlone?: boolean }

export async function startMeasuredFleet({ url }: CarrierServer): Promise<MeasuredFleet> {
  const start = <Order, Report>(name: string, ...args: string[]): Promise<Worker<Order, Report>> =>
    startWorker(fileURLToPath(new URL(name, import.meta.url)), [url, ...args])
  const pid = await postmasterOf(url)
  // One after the other: the first one makes the tables.
  const runners: Worker<RunnerOrder, RunnerReport>[] = []
  for (let n = 0; n < RUNNERS; n++) runners.push(await start('runner-process.js', `runner-${n}`))
  const hosts: Worker<HostOrder, HostReport>[] = []
  for (let n = 0; n < HOSTS; n++) hosts.push(await start('host-process.js'))
  let asked = 0

  /** A host and a runner of its own for each, so that a host is ordered to answer questions of one namespace. */
  const orderOf = (toolCallIds: readonly string[], load: LoadOrder, n: number): HostOrder => ({
    namespace: `runner-${n}`,
    toolCallIds,
    load:
      'perSecond' in load
        ? { perSecond: load.perSecond / HOSTS, seed: asked + n }
        : { thinkMs: load.thinkMs, inFlight: load.inFlight / (load.isAlone ? 1 : HOSTS) },
  })

  return {
    async answer(count, load) {
      const isAlone = 'isAlone' in load && load.isAlone
      const pairs = isAlone ? 1 : HOSTS
      const ids = Array.from({ length: pairs }, () =>
        Array.from({ length: Math.ceil(count / pairs) }, () => `ask-${asked++}`),
      )
      await Promise.all(ids.map((ask, n) => runners[n]?.work({ ask })))
      const before = {
        server: treeCpuMs(pid),
        own: treeCpuMs(process.pid),
        machine: machineCpuMs(),
        at: nowMs(),
      }
      const answered = ids.map((some, n) => hosts[n]?.work(orderOf(some, load, n)) as Promise<HostReport>)
      const reports = await Promise.all(answered)
      const ends = await Promise.all(ids.map((_, n) => runners[n]?.work({}) as Promise<RunnerReport>))
      const server = treeCpuMs(pid) - before.server
      const others = machineCpuMs() - before.machine - (treeCpuMs(process.pid) - before.own)
      const whole = (nowMs() - before.at) * availableParallelism()
      const resolvedAt: RunnerReport['resolvedAt'] = Object.assign({}, ...ends.map((end) => end.resolvedAt))
      return {
        answers: reports
          .flatMap(({ answers }) => Object.entries(answers))
          .map(([id, times]) => ({ ...times, resolvedAt: resolvedAt[id] ?? Number.NaN }))
          .sort((a, b) => a.startedAt - b.startedAt),
        hostStatements: reports.flatMap(({ statements }) => statements),
        runnerStatements: ends.flatMap(({ statements }) => statements),
        cpuMs: { server, hosts: cpuOf(reports), runners: cpuOf(ends) },
        othersShare: Math.max(0, others / whole),
      }
    },
    end() {
      for (const each of [...hosts, ...runners]) each.end()
    },
  }
}

const cpuOf = (reports: readonly { cpuMs: number }[]): number =>
  reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0)

/** The process of the server that starts all others. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid")
  await client.end()
  return Number(rows[0].pid)
}
