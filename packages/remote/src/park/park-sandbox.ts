// Why it is so: docs/decisions/0063-a-parked-sandbox-is-a-copy-on-the-host.md

import { join, resolve } from 'node:path'
import {
  AskError,
  backgroundClock,
  backOffMs,
  type Clock,
  createWakeSignal,
  DEFAULT_WAKE_BEFORE_MS,
  thenEnd,
} from '@sandagent/core/internal'
import { createLocalFiles, makeFolder, ownFolder, stateFolders } from '@sandagent/files/internal'
import type { Run, RunRequest, RunSandbox } from '@sandagent/sdk/internal'
import { channelOf, checkSandbox, latestRecord, logError } from '@sandagent/sdk/internal'
import { hostCopy } from './host-copy.ts'
import { isIdle, lookAt } from './outlook.ts'
import { checkParkOptions, type ParkOptions } from './park-options.ts'
import { parkedFacade } from './parked-facade.ts'
import { type ParkPhase, parkedPlace } from './parked-place.ts'
import type { ParkedRecord } from './parked-record.ts'
import { restartRuns } from './restart-runs.ts'

/** A sandbox that sleeps while its agents wait for a person. */
export interface ParkedSandbox extends RunSandbox {
  readonly phase: ParkPhase
  /** Resolves when the sandbox is awake. @throws AskError `GONE` */
  wake(): Promise<void>
  /** Ends the watch over the sandbox, and leaves it as it is. The next `parkSandbox` with this folder goes on. */
  close(): Promise<void>
}

const TAKEN = 'Another process of this host parks this sandbox, or this one does it twice'

const KEEP_ALIVE_EVERY_MS = 60_000
/** How often the host looks at a sandbox, in milliseconds. */
const LOOK_MS = { shortest: 50, asleep: 1000, longest: 30_000 }
/** How long a call of the provider may take, in milliseconds. */
const LONGEST_CALL_MS = 5 * 60_000
const RETRY = [1000, 60_000] as const

/**
 * Puts a sandbox to sleep while its agents wait for a person, and wakes it for the answer. Use the returned sandbox in place of
 * the given one, everywhere. Questions are listed and answered while it sleeps. What needs the sandbox itself wakes it.
 *
 * @throws AskError `INVALID_REQUEST`; `CONFLICT` when another process uses the folder; `INVALID_FILE` when it is damaged
 */
export async function parkSandbox(sandbox: RunSandbox, options: ParkOptions): Promise<ParkedSandbox> {
  checkParkOptions(options)
  checkSandbox(sandbox)
  const { afterMs, wakeBeforeMs = DEFAULT_WAKE_BEFORE_MS, clock = backgroundClock, signingKeys } = options
  const { mayPark = () => true, restart = asBefore, keepAlive, onError = logError } = options
  const folder = resolve(options.folder)
  makeFolder(join(folder, 'copy'))
  const closing = new AbortController()
  const { signal } = closing
  const wakeSignal = createWakeSignal(signal)
  const onLost = (error: AskError): void => {
    closing.abort()
    onError(error)
  }
  const leaveFolder = await ownFolder(folder, { taken: TAKEN, onLost, clock })
  const copy = hostCopy(sandbox, join(folder, 'copy'))
  const records = createLocalFiles(folder)
  const given = { records, copy: copy.files, onWanted: wakeSignal.ring, clock, wakeBeforeMs }
  const place = await parkedPlace(sandbox, given).catch(async (error: unknown) => {
    await leaveFolder()
    throw error
  })
  signal.addEventListener('abort', () => void place.close())
  /** Calls the provider. When the host ends, it does not wait for a provider that does not answer. */
  const ask = (call: () => Promise<void>): Promise<void> => orGivenUp(call(), { signal, clock })
  const facade = parkedFacade(sandbox, place)
  const look = (at: RunSandbox) => lookAt(at, channelOf(at, { signingKeys, clock }), clock)

  const fallAsleep = async (fingerprint: string): Promise<void> => {
    // Most of the work is done before anybody has to wait for it.
    await copy.fetch()
    await place.move(async () => {
      const outlook = await look(sandbox)
      if (outlook.fingerprint !== fingerprint || !isIdle(outlook, mayPark)) return undefined
      await copy.fetch()
      // The agent may have gone on meanwhile. The copy would hold no question then, and nobody would wake it.
      if ((await look(sandbox)).fingerprint !== fingerprint) return undefined
      const deadline = Number.isFinite(outlook.deadline) ? outlook.deadline : null
      return { state: 'asleep', processes: await processesOf(sandbox, outlook.running), deadline }
    })
    if (!place.isAwake()) await putToSleep()
  }

  const putToSleep = async (): Promise<void> => {
    sandbox.connection?.pause()
    const sleeping = options.sleep()
    try {
      await ask(() => sleeping)
    } catch (error) {
      // A call that was given up may take effect after the sandbox was woken.
      const wakeAgain = async (): Promise<void> => {
        if (place.isAwake() && !signal.aborted) await options.wake()
      }
      sleeping.then(wakeAgain, () => {}).catch(onError)
      place.awake(async () => {}).catch(() => {}) // It fails only when the host ends, or when the sandbox is gone.
      throw error
    }
  }

  const wakeUp = async ({ processes, deadline }: ParkedRecord): Promise<void> => {
    const next = { processes, deadline }
    try {
      await ask(options.wake)
    } catch (error) {
      if (!(error instanceof AskError && error.code === 'GONE')) throw error
      onError(error)
      return place.move(async () => ({ state: 'gone', ...next }))
    }
    sandbox.connection?.resume()
    await place.move(async () => {
      for (const error of await copy.deliver()) onError(error)
      return { state: 'restarting', ...next }
    })
    quiet = { fingerprint: '', since: 0 }
  }

  let quiet = { fingerprint: '', since: 0 }
  let keptAliveAt = 0

  /** @returns milliseconds until the next look */
  const whileAwake = async (): Promise<number> => {
    const outlook = await look(sandbox)
    const now = clock.now()
    if (keepAlive && outlook.running.length > 0 && now - keptAliveAt >= KEEP_ALIVE_EVERY_MS) {
      keptAliveAt = now
      await ask(keepAlive)
    }
    const maySleep = isIdle(outlook, mayPark) && outlook.deadline - now > wakeBeforeMs
    const fingerprint = maySleep ? outlook.fingerprint : ''
    if (fingerprint !== quiet.fingerprint) quiet = { fingerprint, since: now }
    else if (maySleep && now - quiet.since >= afterMs) await fallAsleep(fingerprint)
    return Math.min(LOOK_MS.longest, Math.max(LOOK_MS.shortest, afterMs / 4))
  }

  /** @returns milliseconds until the next look */
  const whileAsleep = async (record: ParkedRecord): Promise<number> => {
    const mayStay = async (): Promise<boolean> => {
      const { waiting, isAnswered } = await look(facade)
      return waiting.length > 0 && !isAnswered
    }
    if (!place.isWanted() && !place.isDue() && (await mayStay())) return LOOK_MS.asleep
    await wakeUp(record)
    return 0
  }

  const step = async (): Promise<number> => {
    const record = place.record()
    if (record?.state === 'restarting') {
      await restartRuns(facade, record.processes, {
        ...{ restart, signingKeys, clock, onError },
        ...{ policy: options.policy, passkeys: options.passkeys },
      })
      await place.move(async () => null)
    }
    if (record?.state === 'asleep') return whileAsleep(record)
    return record?.state === 'gone' ? Number.POSITIVE_INFINITY : whileAwake()
  }

  const keep = async (): Promise<void> => {
    let failures = 0
    // The host may have ended right before the sandbox fell asleep.
    let next = place.phase() === 'asleep' ? () => putToSleep().then(() => 0) : step
    while (!signal.aborted) {
      let restMs: number
      try {
        restMs = await next()
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        onError(error)
        restMs = backOffMs(++failures, ...RETRY)
      }
      next = step
      const cancel = restMs === Number.POSITIVE_INFINITY ? () => {} : clock.after(restMs, wakeSignal.ring)
      await wakeSignal.sleep()
      cancel()
    }
  }

  // An answer rings at once. Where nothing is reported, the next look finds it.
  const stopWatch = copy.files.watch?.(stateFolders(sandbox).approvals, wakeSignal.ring)
  const kept = keep()
  return {
    ...facade,
    get phase() {
      return place.phase()
    },
    wake: () => place.awake(async () => {}),
    async close() {
      closing.abort()
      stopWatch?.()
      await thenEnd(
        () => kept,
        () => place.close(),
        leaveFolder,
      )
    },
  }
}

/** Waits for a provider for five minutes at most, and not when the host ends. The provider is asked again later. */
async function orGivenUp(
  done: Promise<void>,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const giveUp = (): void =>
      reject(
        new AskError(
          'UNREACHABLE',
          `The provider of the sandbox has not answered within ${LONGEST_CALL_MS / 60_000} minutes, or this host ends. It is asked again`,
        ),
      )
    const cancel = clock.after(LONGEST_CALL_MS, giveUp)
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
    done.then(resolve, reject).finally(() => {
      cancel()
      signal.removeEventListener('abort', giveUp)
    })
  })
}

async function processesOf(sandbox: RunSandbox, running: readonly Run[]): Promise<string[]> {
  const found = await Promise.all(running.map(({ runId }) => latestRecord(sandbox, runId)))
  return found.flatMap((record) => record?.process ?? [])
}

const asBefore = ({ runId, agent, args, prompt, metadata, owner }: Run): RunRequest => ({
  runId,
  agent,
  args,
  prompt,
  metadata,
  owner,
})
