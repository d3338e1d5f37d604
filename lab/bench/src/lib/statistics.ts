/** What many measurements of one thing come to, in milliseconds. */
export interface Summary {
  samples: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  maxMs: number
}

/** Sums up measurements in nanoseconds; there must be one at least. */
export function summarize(durations: readonly bigint[]): Summary {
  const sorted = durations.map((nanoseconds) => Number(nanoseconds) / 1e6).sort((a, b) => a - b)
  // The nearest rank: a value that was really measured.
  const percentile = (share: number): number => round(sorted[Math.ceil(share * sorted.length) - 1] as number)
  return {
    samples: sorted.length,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    p99Ms: percentile(0.99),
    maxMs: percentile(1),
  }
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000
