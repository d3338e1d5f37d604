import { AskError, type Clock } from '@sandagent/core/internal'
import type { RunFiles } from '@sandagent/files'
import type { RunSandbox } from '@sandagent/sdk'
import { type ParkedRecord, readParked, writeParked } from './parked-record.ts'
import type { Place } from './place.ts'
import { createReadWriteLock } from './read-write-lock.ts'

/** `gone`: it cannot be woken any more. Its questions stay listed, and nobody can answer them. */
export type ParkPhase = 'awake' | 'asleep' | 'gone'

/** A place, with what is needed to move it. */
export interface ParkedPlace extends Place {
  phase(): ParkPhase
  record(): ParkedRecord | null
  /** Whether somebody waits for the sandbox to wake. */
  isWanted(): boolean
  /** Changes the place while nobody works there. `work` returns the new state, or `undefined` to leave it as it is. */
  move(work: () => Promise<NewState | null | undefined>): Promise<void>
  /** Resolves when nobody works there any more. New work is refused. */
  close(): Promise<void>
}

type NewState = Omit<ParkedRecord, 'version' | 'at'>

/**
 * @param records the folder with the record of the place
 * @param onWanted called when the sandbox should wake
 * @param wakeBeforeMs how long before a deadline the sandbox should wake, in milliseconds
 */
export async function parkedPlace(
  sandbox: RunSandbox,
  {
    records,
    copy,
    onWanted,
    clock,
    wakeBeforeMs,
  }: { records: RunFiles; copy: RunFiles; onWanted: () => void; clock: Clock; wakeBeforeMs: number },
): Promise<ParkedPlace> {
  const lock = createReadWriteLock()
  const onMoves = new Set<() => void>()
  let record = await readParked(records)
  let isWanted = false

  const phase = (): ParkPhase => (record && record.state !== 'restarting' ? record.state : 'awake')
  const isAwake = (): boolean => phase() === 'awake'
  const now = (): RunFiles => (isAwake() ? sandbox.files : copy)
  const onMove: Place['onMove'] = (callback) => {
    onMoves.add(callback)
    return () => onMoves.delete(callback)
  }
  const refuseIfGone = (): void => {
    if (phase() === 'gone') throw new AskError('GONE', 'The sandbox that asks is gone for good')
  }
  const closing = new AbortController()
  const read = <T>(work: () => Promise<T>): Promise<T> =>
    lock.read(async () => {
      if (closing.signal.aborted)
        throw new AskError('UNREACHABLE', 'The host has ended the watch over the sandbox')
      return work()
    })
  const ifAwake: Place['ifAwake'] = (work) =>
    read(async () => (isAwake() ? { value: await work(sandbox) } : null))
  const notAsleep: Place['notAsleep'] = async (signal) => {
    while (phase() === 'asleep' && !signal?.aborted)
      await new Promise<void>((resolve) => {
        const stop = onMove(done)
        signal?.addEventListener('abort', done)
        function done(): void {
          stop()
          signal?.removeEventListener('abort', done)
          resolve()
        }
      })
  }

  return {
    phase,
    isAwake,
    record: () => record,
    isWanted: () => isWanted,
    now,
    onMove,
    refuseIfGone,
    ifAwake,
    notAsleep,
    use: (work) => read(() => work(now())),
    async awake(work) {
      for (;;) {
        refuseIfGone()
        const done = await ifAwake(work)
        if (done) return done.value
        isWanted = true
        onWanted()
        await notAsleep(closing.signal)
      }
    },
    isDue: () =>
      phase() === 'asleep' && (record?.deadline ?? Number.POSITIVE_INFINITY) - clock.now() <= wakeBeforeMs,
    isParked: (handle) => phase() === 'asleep' && record?.processes.includes(handle) === true,
    async move(work) {
      const before = phase()
      await lock.write(async () => {
        const next = await work()
        if (next === undefined) return
        const full = next && { version: 1 as const, at: new Date(clock.now()).toISOString(), ...next }
        await writeParked(records, full)
        record = full
      })
      if (phase() === before) return
      isWanted = false
      for (const callback of [...onMoves]) callback()
    },
    close() {
      closing.abort()
      return lock.write(async () => {})
    },
  }
}
