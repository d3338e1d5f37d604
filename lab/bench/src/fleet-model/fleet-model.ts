import { startPostgres } from '../fleet/postgres-server.ts'
import { defineScenario, type Goal, type Scenario } from '../lib/scenario.ts'
import { IN_FLIGHT, measureFleet } from './measure/measure-fleet.ts'
import { busyShareFor, predict } from './model.ts'

export const fleetModel: Scenario = defineScenario({
  title: 'a simulated fleet with Postgres, and a real one on this machine',
  keys: {
    writeP50Ms: 'the store writes an answer, alone, median',
    readP50Ms: 'the store reads a question, alone, median',
    notifyP50Ms: 'from the order to notify until the runner reads, alone, median',
    hostP50Ms: 'what the host computes besides, alone, median',
    runnerP50Ms: 'from that read until askUser resolved, alone, median',
    serverCpuMs: 'CPU time of Postgres for an answer',
    hostCpuMs: 'CPU time of the host for an answer',
    runnerCpuMs: 'CPU time of the runner for an answer',
    mostPerSecond: 'answers each second, 32 at a time',
    busyShare: 'of these times uses a core, by which the model does as many',
    'at25.perSecond': 'answers each second at a quarter of the most of the first round',
    'at25.p50Ms': 'from submitAnswer until askUser resolved, median, measured',
    'at25.predictedP50Ms': 'the same, predicted',
    'at25.p99Ms': 'the same, 99th percentile, measured',
    'at25.predictedP99Ms': 'the same, predicted',
    'at50.perSecond': 'answers each second at half of it',
    'at50.p50Ms': 'median, measured',
    'at50.predictedP50Ms': 'median, predicted',
    'at50.p99Ms': '99th percentile, measured',
    'at50.predictedP99Ms': '99th percentile, predicted',
    'at75.perSecond': 'answers each second at three quarters of it',
    'at75.p50Ms': 'median, measured',
    'at75.predictedP50Ms': 'median, predicted',
    'at75.p99Ms': '99th percentile, measured',
    'at75.predictedP99Ms': '99th percentile, predicted',
    'at90.predictedP50Ms': 'median at 90 % of the most, predicted',
    'at90.predictedP99Ms': '99th percentile at 90 % of the most, predicted',
    'at97.predictedP50Ms': 'median at 97 % of the most, predicted',
    'at97.predictedP99Ms': '99th percentile at 97 % of the most, predicted',
    othersPercent: 'of the machine, used by other programs meanwhile, percent',
  },
  byNameOnly: true,
  measure: ({ quick }) => compare(quick ? 1 : 4),
  goals: (figures) => [
    error('p50 at a quarter', figures['at25.predictedP50Ms'], figures['at25.p50Ms']),
    error('p50 at half', figures['at50.predictedP50Ms'], figures['at50.p50Ms']),
    error('p50 at three quarters', figures['at75.predictedP50Ms'], figures['at75.p50Ms']),
    error('p99 at a quarter', figures['at25.predictedP99Ms'], figures['at25.p99Ms']),
    error('p99 at half', figures['at50.predictedP99Ms'], figures['at50.p99Ms']),
    error('p99 at three quarters', figures['at75.predictedP99Ms'], figures['at75.p99Ms']),
  ],
})

const error = (what: string, predicted: number, measured: number): Goal => ({
  text: `${what}: prediction within 30 %`,
  figure: (100 * Math.abs(predicted - measured)) / measured,
  most: 30,
})

async function compare(rounds: number) {
  const server = await startPostgres()
  if (!server) return null
  try {
    const { fleet, saturatedPerSecond, points, cpuMs, othersShare } = await measureFleet(server, rounds)
    const busyShare = busyShareFor(fleet, { perSecond: saturatedPerSecond, inFlight: IN_FLIGHT })
    const at = (perSecond: number) => predict({ ...fleet, busyShare }, { perSecond })
    const [quarter, half, most] = points.map((point) => ({ ...point, predicted: at(point.perSecond) }))
    if (!quarter || !half || !most) return null
    const [at90, at97] = [at(0.9 * saturatedPerSecond), at(0.97 * saturatedPerSecond)]
    return {
      writeP50Ms: fleet.times.write.p50,
      readP50Ms: fleet.times.read.p50,
      notifyP50Ms: fleet.times.notify.p50,
      hostP50Ms: fleet.host.p50,
      runnerP50Ms: fleet.runner.p50,
      serverCpuMs: cpuMs.server,
      hostCpuMs: cpuMs.hosts,
      runnerCpuMs: cpuMs.runners,
      mostPerSecond: saturatedPerSecond,
      busyShare,
      'at25.perSecond': quarter.perSecond,
      'at25.p50Ms': quarter.p50Ms,
      'at25.predictedP50Ms': quarter.predicted.p50Ms,
      'at25.p99Ms': quarter.p99Ms,
      'at25.predictedP99Ms': quarter.predicted.p99Ms,
      'at50.perSecond': half.perSecond,
      'at50.p50Ms': half.p50Ms,
      'at50.predictedP50Ms': half.predicted.p50Ms,
      'at50.p99Ms': half.p99Ms,
      'at50.predictedP99Ms': half.predicted.p99Ms,
      'at75.perSecond': most.perSecond,
      'at75.p50Ms': most.p50Ms,
      'at75.predictedP50Ms': most.predicted.p50Ms,
      'at75.p99Ms': most.p99Ms,
      'at75.predictedP99Ms': most.predicted.p99Ms,
      'at90.predictedP50Ms': at90.p50Ms,
      'at90.predictedP99Ms': at90.p99Ms,
      'at97.predictedP50Ms': at97.p50Ms,
      'at97.predictedP99Ms': at97.p99Ms,
      othersPercent: 100 * othersShare,
    }
  } finally {
    await server.stop()
  }
}
