import type { Random } from '../lib/random.ts'
import type { SmallDisk } from '../world/disks.ts'
import { PARTS } from '../world/parts.ts'
import type { PartProcess } from '../world/process.ts'
import type { World } from '../world/world.ts'

const DAY_MS = 24 * 60 * 60_000

interface FaultContext {
  world: World
  random: Random
  /** Resolves after so many milliseconds, or as soon as faults end. */
  pause(ms: number): Promise<void>
}

export interface Fault {
  name: string
  /** How often it is chosen, beside the others. */
  weight: number
  /** Does it, and takes it back. */
  happen(context: FaultContext): void | Promise<void>
}

/** Everything is killed, the reader and the foreign program too. */
const NAMES = PARTS.map(({ name }) => name) as [string, ...string[]]

const onePart = ({ world, random }: FaultContext): PartProcess =>
  world.parts.get(random.pick(NAMES)) as PartProcess

const shortWhile = (random: Random): number => 50 + random.below(450)

/**
 * What happens from outside. Calls that fail inside of a process are in `parts/faults/faulty-fs.ts`, networks in
 * `parts/faults/flaky-fetch.ts`.
 */
export const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9',
    weight: 70,
    happen: (context) => onePart(context).signal('SIGKILL'),
  },
  {
    name: 'kill -9 of several at once',
    weight: 4,
    happen(context) {
      for (let left = 2 + context.random.below(4); left > 0; left--) onePart(context).signal('SIGKILL')
    },
  },
  {
    name: 'kill -9 of the relay',
    weight: 5,
    happen({ world }) {
      if (world.relay === undefined) return
      try {
        process.kill(world.relay, 'SIGKILL')
      } catch {
        // It has ended.
      }
    },
  },
  {
    name: 'SIGINT, SIGTERM and SIGHUP',
    weight: 6,
    happen(context) {
      const part = onePart(context)
      for (let left = 1 + context.random.below(3); left > 0; left--)
        part.signal(context.random.pick(['SIGINT', 'SIGTERM', 'SIGHUP']))
    },
  },
  {
    name: 'SIGSTOP',
    weight: 4,
    async happen(context) {
      const part = onePart(context)
      part.signal('SIGSTOP')
      await context.pause(context.random.chance(0.02) ? 60_000 : shortWhile(context.random))
      part.signal('SIGCONT')
    },
  },
  {
    name: 'a blocked event loop',
    weight: 4,
    happen(context) {
      const { random } = context
      onePart(context).order({ blockMs: random.chance(0.1) ? 5000 : random.below(500) })
    },
  },
  {
    name: 'a clock that jumps',
    weight: 8,
    happen(context) {
      const { random } = context
      const clockMs = random.chance(0.3) ? 0 : Math.round((random.next() - 0.5) * 20 * DAY_MS)
      onePart(context).order({ clockMs })
    },
  },
  {
    name: 'a full disk',
    weight: 1,
    happen: (context) =>
      withDisk(context, (disk) => {
        disk.fill()
        return () => disk.free()
      }),
  },
  {
    name: 'a read-only disk',
    weight: 1,
    happen: (context) =>
      withDisk(context, (disk) => {
        try {
          disk.setReadOnly(true)
        } catch {
          return () => {} // Somebody writes to it just now.
        }
        return () => disk.setReadOnly(false)
      }),
  },
]

/** Breaks the small disk for a short while, where there is one: one fault of the disk at a time. */
async function withDisk(
  { world: { disk }, random, pause }: FaultContext,
  breakIt: (disk: SmallDisk) => () => void,
): Promise<void> {
  const ms = shortWhile(random)
  if (!disk || disk.isBusy) return
  disk.isBusy = true
  const mend = breakIt(disk)
  await pause(ms)
  mend()
  disk.isBusy = false
}
