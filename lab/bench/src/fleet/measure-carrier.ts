import { join } from 'node:path'
import { createSigningKey } from '@sandagent/sdk'
import { summarize } from '../lib/statistics.ts'
import { bareRate } from './bare/bare-rate.ts'
import type { Carrier } from './carrier.ts'
import { Fleet, type FleetRate, HOSTS, RUNNERS, TEXT } from './fleet-processes.ts'

export interface CarrierFigures extends FleetRate {
  p50Ms: number
  p99Ms: number
  storedP50Ms: number
  bareP50Ms: number
  bareP99Ms: number
  lost: number
  fewP50Ms: number
  manyP50Ms: number
  listMs: number
  barePerSecond: number
}

/** @returns `null` if its server is not installed */
export async function measureCarrier(
  carrier: Carrier,
  folder: string,
  quick: boolean,
): Promise<CarrierFigures | null> {
  const server = await carrier.start(join(folder, carrier.name))
  if (!server) return null
  const fleet = new Fleet(carrier.name, server.url)
  try {
    await fleet.start(await createSigningKey())
    const alone = await fleet.latency(quick ? 40 : 300, carrier)
    await fleet.wait(1000)
    const few = await fleet.latency(quick ? 40 : 200)
    await fleet.wait(quick ? 10_000 : 100_000)
    const many = await fleet.latency(quick ? 40 : 200)
    const listMs = await fleet.list()
    const rate = await fleet.rate(quick ? 1000 : 10_000, server.pid)
    const size = { processes: HOSTS, namespaces: RUNNERS, text: TEXT }
    const barePerSecond = await bareRate(carrier.name, server.url, quick ? 1000 : 10_000, size)
    const [own, bare] = [summarize(alone.own), summarize(alone.bare)]
    return {
      p50Ms: own.p50Ms,
      p99Ms: own.p99Ms,
      storedP50Ms: summarize(alone.stored).p50Ms,
      bareP50Ms: bare.p50Ms,
      bareP99Ms: bare.p99Ms,
      lost: fleet.lost,
      fewP50Ms: summarize(few.own).p50Ms,
      manyP50Ms: summarize(many.own).p50Ms,
      listMs,
      ...rate,
      barePerSecond,
    }
  } finally {
    await fleet.end()
    await server.stop()
  }
}
