import type { Random } from './random.ts'

/** How long one operation takes when nothing else happens: percentiles, in milliseconds. */
export interface ServiceTimes {
  p10: number
  p25: number
  p50: number
  p75: number
  p90: number
  p99: number
  /** Of the few slowest. An answer has many operations, so it often has one of them. */
  p999: number
}

/** The shares of the percentiles. */
const SHARES: Readonly<Record<keyof ServiceTimes, number>> = {
  p10: 0.1,
  p25: 0.25,
  p50: 0.5,
  p75: 0.75,
  p90: 0.9,
  p99: 0.99,
  p999: 0.999,
}

const NAMES = Object.keys(SHARES) as (keyof ServiceTimes)[]

/** A time of no duration counts as so much, so that it has a logarithm. */
const LEAST_MS = 0.001

/** The percentile of sorted values by the nearest rank: a value that was really measured. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0

/** The percentiles of measured times. */
export function serviceTimes(values: readonly number[]): ServiceTimes {
  if (values.length === 0) throw new Error('Nothing was measured')
  const sorted = values.toSorted((a, b) => a - b)
  const entries = NAMES.map((name) => [name, Math.max(percentile(sorted, SHARES[name]), LEAST_MS)])
  return Object.fromEntries(entries)
}

/**
 * Draws a time. Between two percentiles the logarithm of the time grows evenly, as the tails of such times are long. Below the
 * first and above the last it stays as it is.
 */
export function draw(times: ServiceTimes, random: Random): number {
  const share = random()
  const next = NAMES.findIndex((name) => share < SHARES[name])
  if (next === 0) return times.p10
  if (next === -1) return times.p999
  const [low, high] = [NAMES[next - 1], NAMES[next]] as [keyof ServiceTimes, keyof ServiceTimes]
  const part = (share - SHARES[low]) / (SHARES[high] - SHARES[low])
  return times[low] * (times[high] / times[low]) ** part
}
