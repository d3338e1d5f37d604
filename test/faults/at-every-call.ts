import { expect } from 'vitest'
import type { Ending, Fault } from './faulty-process.ts'
import { errorAt, isChange, type SystemCall } from './system-call.ts'

type Where = 'at every call' | 'at changes'

/** As many as a small machine does at once. */
const AT_ONCE = 2

/** How long one case may take on a slow, busy machine, in milliseconds. What blocks for ever is a failure. */
const PATIENCE_MS = 60_000

/** Some calls depend on times, so they come more or less often. */
const ATTEMPTS = 2

/**
 * Does something once without a fault. Then it does the same with an error at each system call, and with a kill before each
 * of them.
 *
 * @param once does it, checks what is left, and resolves to the ending of the process
 * @param options.kills at every call, or only at those that change files: the others leave the same files
 * @param options.errors the same for errors
 */
export async function atEveryCall(
  once: (fault?: Fault) => Promise<Ending>,
  { kills = 'at every call', errors = 'at every call' }: { kills?: Where; errors?: Where } = {},
): Promise<void> {
  // What waits looks again and again. The shortest way has the calls that every other way has, too.
  const ways = [await once(), await once(), await once()].map(({ calls }) => calls)
  const calls = ways.reduce((shortest, way) => (way.length < shortest.length ? way : shortest))
  const faults = [...at(kills, calls, () => 'SIGKILL'), ...at(errors, calls, errorAt)]
  const failures: string[] = []
  let hits = 0
  const next = faults.values()
  const work = async (): Promise<void> => {
    for (const fault of next) {
      try {
        for (let attempt = 1, isHit = false; attempt <= ATTEMPTS && !isHit; attempt++) {
          isHit = (await patiently(once(fault))).isHit
          if (isHit) hits++
        }
      } catch (error) {
        const { kind, call } = fault
        failures.push(`${kind} at ${call.name} ${call.ordinal} of ${call.thread}, ${call.text}: ${error}`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(failures).toEqual([])
  expect(hits / faults.length).toBeGreaterThan(0.8)
}

const at = (
  where: Where,
  calls: readonly SystemCall[],
  kindAt: (call: SystemCall) => Fault['kind'] | null,
): Fault[] =>
  calls.flatMap((call) => {
    const kind = where === 'at every call' || isChange(call) ? kindAt(call) : null
    return kind === null ? [] : [{ call, kind }]
  })

async function patiently<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It blocks')), PATIENCE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
