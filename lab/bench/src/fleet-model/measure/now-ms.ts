/** Milliseconds of the clock that all processes share. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** The CPU time of this process since then. */
export function cpuMsSince(then: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(then)
  return (user + system) / 1000
}
