import { type Clock, checkOptions, invalid, type OptionNames } from '@sandagent/core/internal'
import type { Run, RunRequest, SigningKeys, StartOptions } from '@sandagent/sdk'

export interface ParkOptions {
  /**
   * A folder on this machine, for this sandbox alone and outside of it. While the sandbox sleeps, it keeps the questions, the
   * answers and the logs of the runs. It must survive a restart of the host.
   */
  folder: string
  /** How long nothing may change before the sandbox is put to sleep, in milliseconds. It sleeps only while a question waits. */
  afterMs: number
  /** Puts the sandbox to sleep, with all its programs. Changes nothing if it sleeps already. */
  sleep: () => Promise<void>
  /**
   * Wakes the sandbox. Changes nothing if it is awake. Rejects with an AskError of the code `GONE` if the sandbox is gone for
   * good; any other failure is tried again.
   */
  wake: () => Promise<void>
  /** How long before the deadline of a question the sandbox is woken, in milliseconds. Default one minute. */
  wakeBeforeMs?: number | undefined
  /** Whether the sandbox may sleep while this run waits. Default: every run may. */
  mayPark?: ((run: Run) => boolean) | undefined
  /**
   * How to start a run whose process did not survive the sleep. Default: with the same id, agent, arguments, prompt,
   * metadata and owner. `runner`, `continues`, `maxLogBytes` and variables are not kept: add them here. `null` leaves the run
   * as it is.
   */
  restart?: ((run: Run) => RunRequest | null) | undefined
  /** Called about every minute while the sandbox is awake and a run is running, for places that stop quiet sandboxes. */
  keepAlive?: (() => Promise<void>) | undefined
  /** The keys that runs are started with and answers are signed with. Default: this host's own signing keys. */
  signingKeys?: SigningKeys | null | undefined
  /** What runs are started with, see `StartOptions`: a run that demanded passkeys is not started again without. */
  policy?: StartOptions['policy']
  passkeys?: StartOptions['passkeys']
  /** Called for failures in the background. Default: printed by `console.error`. */
  onError?: ((error: unknown) => void) | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<ParkOptions> = {
  folder: true,
  afterMs: true,
  sleep: 'function',
  wake: 'function',
  wakeBeforeMs: true,
  mayPark: 'function',
  restart: 'function',
  keepAlive: 'function',
  signingKeys: true,
  policy: 'list',
  passkeys: true,
  onError: 'function',
  clock: 'clock',
}

/** @throws AskError `INVALID_REQUEST` */
export function checkParkOptions(options: ParkOptions): void {
  checkOptions('parkSandbox: its options', options, NAMES)
  const { afterMs, wakeBeforeMs = 0 } = options
  for (const [path, value] of Object.entries({ afterMs, wakeBeforeMs }))
    if (!(typeof value === 'number' && value >= 0 && Number.isFinite(value)))
      throw invalid('INVALID_REQUEST', 'These times do not work', [{ path, expected: 'milliseconds' }])
}
