import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 20

/** Resolves to whether the condition came true in time. */
export async function cameTrue(
  condition: () => boolean | Promise<boolean>,
  patienceMs: number,
): Promise<boolean> {
  const end = performance.now() + patienceMs
  while (!(await condition())) {
    if (performance.now() > end) return false
    await sleep(LOOK_EVERY_MS)
  }
  return true
}
