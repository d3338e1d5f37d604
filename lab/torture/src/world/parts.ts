import { join } from 'node:path'
import type { VerifiedChannelOptions } from '@sandagent/runner'
import type { Random } from '../lib/random.ts'
import { NO_FAULTS, type PartSettings, type Role } from '../parts/settings/settings.ts'

/** The parts of a torture, by name. There is one runner for each run, and a second one for the first run. */
export const PARTS: readonly { name: string; role: Role; run?: number }[] = [
  ...[0, 1, 2, 3].map((run) => ({ name: `runner-${run}`, role: 'runner' as const, run })),
  { name: 'second-runner', role: 'runner', run: 0 },
  { name: 'host', role: 'host' },
  { name: 'far-host', role: 'relay-host' },
  ...[0, 1, 2].map((n) => ({ name: `page-${n}`, role: 'page' as const })),
  ...[0, 1, 2, 3].map((n) => ({ name: `writer-${n}`, role: 'writer' as const })),
  { name: 'foreign', role: 'foreign' },
  { name: 'reader', role: 'reader' },
]

/** The second runner of a question. */
export const SECOND_RUNNER = 'second-runner'

export interface Place {
  folder: string
  /** The folders of the four runs. */
  workdirs: readonly string[]
  /** The same folders through another mount, where there is one. */
  otherWorkdirs: readonly string[]
  /** Where a host that stands still says so. */
  frozen: string
  command: string
  relayFaults: string
  signingKey: string
  publicKeys: VerifiedChannelOptions['publicKeys']
}

/** The settings of a part's next life. Each life has faults of its own. */
export function settingsOf(
  { name, role, run = 0 }: (typeof PARTS)[number],
  place: Place,
  random: Random,
  isHealed: boolean,
): PartSettings {
  const watch = random.weighted({ works: 80, refused: 10, silent: 10 })
  const faults = random.chance(0.5)
    ? { kill: 0.0003, error: 0.001, slowSync: 0.005, watch }
    : { ...NO_FAULTS, watch }
  return {
    role,
    name,
    run,
    seed: random.below(2 ** 31),
    // The reader and the foreign program are not of the product.
    faults: isHealed || role === 'reader' || role === 'foreign' ? NO_FAULTS : faults,
    workdirs: name === 'far-host' || name === 'writer-3' ? place.otherWorkdirs : place.workdirs,
    withoutLinks: [1],
    signedRuns: [0, 1],
    signingKey: place.signingKey,
    publicKeys: place.publicKeys,
    profile: join(place.folder, 'profiles', name),
    unsynced: join(place.folder, 'unsynced'),
    frozen: place.frozen,
    relayFaults: place.relayFaults,
    command: place.command,
  }
}
