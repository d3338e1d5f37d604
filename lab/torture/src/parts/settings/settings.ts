import type { VerifiedChannelOptions } from '@sandagent/runner'
import type { Report } from '../../messages.ts'
import { SETTINGS_VARIABLE } from './settings-variable.ts'

/** What can go wrong inside of a process. Shares are per call of the file system. */
export interface InnerFaults {
  /** The process is killed before the call, or right after it. */
  kill: number
  /** The call fails, as a full or broken disk lets it fail. */
  error: number
  /** A sync takes up to a second. */
  slowSync: number
  /** `refused`: nothing can be watched. `silent`: watches never report. */
  watch: 'works' | 'refused' | 'silent'
}

export const NO_FAULTS: InnerFaults = { kill: 0, error: 0, slowSync: 0, watch: 'works' }

/** Ends the faults inside of a relay. The other parts are told by a message. */
export const HEAL = 'SIGUSR2'

export type Role = 'runner' | 'host' | 'relay-host' | 'page' | 'writer' | 'foreign' | 'reader'

/** How a part is started: JSON in its environment. */
export interface PartSettings {
  role: Role
  name: string
  seed: number
  faults: InnerFaults
  /** The folders of the runs, as this part reaches them. */
  workdirs: readonly string[]
  /** The run of a runner. */
  run: number
  /** Runs whose disk has no hard links. */
  withoutLinks: readonly number[]
  /** Runs whose runners accept only signed answers. */
  signedRuns: readonly number[]
  signingKey: string
  /** What a runner knows of the key. */
  publicKeys: VerifiedChannelOptions['publicKeys']
  /** Where a page keeps what survives a reload. */
  profile: string
  /** Where the processes share which files are not synced yet. */
  unsynced: string
  /** Where a host that stands still says so, and looks whether it may go on. */
  frozen: string
  /** What a relay loads first, so that its file system is faulty, too. */
  relayFaults: string
  /** The program `sandagent`. */
  command: string
}

export const settings: PartSettings = JSON.parse(process.env[SETTINGS_VARIABLE] ?? '{}')

/** Tells the driver. */
export const report = (what: Report): void => {
  if (process.connected) process.send?.(what)
}
