import { availableParallelism } from 'node:os'
import type { CarrierServer } from '../../fleet/carrier.ts'
import type { Fleet } from '../model.ts'
import { percentile, serviceTimes } from '../service-times.ts'
import { HOSTS, type LoadOrder, type Round, RUNNERS, startMeasuredFleet } from './measured-fleet.ts'
import { quietly } from './quietly.ts'
import { addSingleTimes, noTimes } from './single-times.ts'

/** So many answers are under way at once when as many as possible are stored. */
export const IN_FLIGHT = 32

/** What the pool of `pg` opens at most. */
const CONNECTIONS = 10

/** The rates that are measured, as shares of the most. */
const SHARES = [0.25, 0.5, 0.75] as const

/** What was measured at one rate. */
interface Point {
  share: number
  /** How many answers came in each second. */
  perSecond: number
  p50Ms: number
  p99Ms: number
}

export interface MeasuredFleet {
  /** What the model gets. */
  fleet: Omit<Fleet, 'busyShare'>
  saturatedPerSecond: number
  points: Point[]
  /** CPU time of an answer. */
  cpuMs: { server: number; hosts: number; runners: number }
  othersShare: number
}

/** Measures a small fleet on this machine: alone, at some rates, and as fast as it can. All of them take turns. */
export async function measureFleet(server: CarrierServer, rounds: number): Promise<MeasuredFleet> {
  const running = await startMeasuredFleet(server)
  const others: number[] = []
  const answer = async (count: number, load: LoadOrder): Promise<Round> => {
    const round = await quietly(() => running.answer(count, load))
    others.push(round.othersShare)
    return round
  }
  const saturate = async (): Promise<Round> => answer(1000, { inFlight: IN_FLIGHT, thinkMs: 0 })
  try {
    // The code is compiled, and the rates are chosen.
    await running.answer(1500, { inFlight: IN_FLIGHT, thinkMs: 0 })
    const most = perSecondOf(await saturate())
    const times = noTimes()
    const saturated: number[] = []
    const byShare = SHARES.map((share) => ({ share, rounds: [] as Round[] }))
    for (let n = 0; n < rounds; n++) {
      addSingleTimes(times, await answer(60, { inFlight: 1, thinkMs: 15, isAlone: true }))
      for (const { share, rounds } of byShare)
        rounds.push(await answer(SECONDS * share * most, { perSecond: share * most }))
      saturated.push(perSecondOf(await saturate()))
    }
    return {
      fleet: {
        times: {
          write: serviceTimes(times.write),
          read: serviceTimes(times.read),
          notify: serviceTimes(times.notify),
        },
        host: serviceTimes(times.host),
        runner: serviceTimes(times.runner),
        reads: { before: median(times.readsBefore), after: median(times.readsAfter) },
        hosts: HOSTS,
        runners: RUNNERS,
        connections: CONNECTIONS,
        cores: availableParallelism(),
        isOneMachine: true,
        roundTripMs: 0,
      },
      saturatedPerSecond: median(saturated),
      points: byShare.map(({ share, rounds }) => pointOf(share, rounds)),
      cpuMs: cpuPerAnswer(byShare.flatMap(({ rounds }) => rounds)),
      othersShare: median(others),
    }
  } finally {
    running.end()
  }
}

/** How long one rate is measured. */
const SECONDS = 3

const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** Without the first and last tenth, in which fewer are under way. */
function perSecondOf({ answers }: Round): number {
  const ends = answers.map(({ resolvedAt }) => resolvedAt).sort((a, b) => a - b)
  const tenth = Math.floor(ends.length / 10)
  const some = ends.slice(tenth, ends.length - tenth)
  return (1000 * (some.length - 1)) / ((some.at(-1) ?? 0) - (some[0] ?? 0))
}

/** The medians of the rounds: one disturbed round changes little. */
function pointOf(share: number, rounds: readonly Round[]): Point {
  const each = rounds.map(({ answers }) => {
    const sorted = answers.map(({ startedAt, resolvedAt }) => resolvedAt - startedAt).sort((a, b) => a - b)
    const ms = (answers.at(-1)?.startedAt ?? 0) - (answers[0]?.startedAt ?? 0)
    return {
      perSecond: (1000 * (answers.length - 1)) / ms,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    }
  })
  return {
    share,
    perSecond: median(each.map(({ perSecond }) => perSecond)),
    p50Ms: median(each.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(each.map(({ p99Ms }) => p99Ms)),
  }
}

function cpuPerAnswer(rounds: readonly Round[]): MeasuredFleet['cpuMs'] {
  const answers = rounds.reduce((sum, { answers }) => sum + answers.length, 0)
  const mean = (of: keyof Round['cpuMs']): number =>
    rounds.reduce((sum, { cpuMs }) => sum + cpuMs[of], 0) / answers
  return { server: mean('server'), hosts: mean('hosts'), runners: mean('runners') }
}
