import { AskError, type Clock } from '@sandagent/core/internal'
import type { RunFiles } from '@sandagent/files'
import type { RunSandbox } from '@sandagent/sdk'
import { type ParkedRecord, readParked, writeParked } from './parked-record.ts'
import { createReadWriteLock } from './read-write-lock.ts'

/** `gone`: it cannot be woken any more. Its questions stay listed, and nobody can answer them. */
export type ParkPhase = 'awake' | 'asleep' | 'gone'

/** Where the work of a parked sandbox is done at this moment: in the sandbox, or at the host's copy. */
export type Place = Awaited<ReturnType<typeof parkedPlace>>

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
) {
  const lock = createReadWriteLock()
  const onMoves = new Set<() => void>()
  const closing = new AbortController()
  let record = await readParked(records)
  let isWanted = false

  const phase = (): ParkPhase => (record && record.state !== 'restarting' ? record.state : 'awake')
  const isAwake = (): boolean => phase() === 'awake'
  const now = (): RunFiles => (isAwake() ? sandbox.files : copy)
  const onMove = (callback: () => void): (() => void) => {
    onMoves.add(callback)
    return () => void onMoves.delete(callback)
  }
  const refuseIfGone = (): void => {
    if (phase() === 'gone') throw new AskError('GONE', 'The sandbox that asks is gone for good')
  }
  const read = <T>(work: () => Promise<T>): Promise<T> =>
    lock.read(async () => {
      if (closing.signal.aborted)
        throw new AskError('UNREACHABLE', 'The host has ended the watch over the sandbox')
      return work()
    })
  const ifAwake = <T>(work: (sandbox: RunSandbox) => Promise<T>): Promise<{ value: T } | null> =>
    read(async () => (isAwake() ? { value: await work(sandbox) } : null))
  const notAsleep = async (signal?: AbortSignal): Promise<void> => {
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
    record: (): ParkedRecord | null => record,
    /** Whether somebody waits for the sandbox to wake. */
    isWanted: (): boolean => isWanted,
    /** The files in force at this moment. */
    now,
    /** Calls back after each change of the place, until the returned function is called. */
    onMove,
    /** @throws AskError `GONE` */
    refuseIfGone,
    /** Works in the sandbox if it is awake, and otherwise returns `null`. */
    ifAwake,
    /** Resolves when the sandbox is awake, without waking it, or when it is gone. */
    notAsleep,
    /** Works at the files in force. Nobody changes the place meanwhile. */
    use: <T>(work: (files: RunFiles) => Promise<T>): Promise<T> => read(() => work(now())),
    /** Wakes the sandbox, and works in it. @throws AskError `GONE` */
    async awake<T>(work: (sandbox: RunSandbox) => Promise<T>): Promise<T> {
      for (;;) {
        refuseIfGone()
        const done = await ifAwake(work)
        if (done) return done.value
        isWanted = true
        onWanted()
        await notAsleep(closing.signal)
      }
    },
    /** Whether it sleeps although the deadline of a question is near, or over. */
    isDue: (): boolean =>
      phase() === 'asleep' && (record?.deadline ?? Number.POSITIVE_INFINITY) - clock.now() <= wakeBeforeMs,
    /** Whether a program ran when the sandbox fell asleep, and goes on when it wakes. */
    isParked: (handle: string): boolean =>
      phase() === 'asleep' && record?.processes.includes(handle) === true,
    /** Changes the place while nobody works there. `work` returns the new state, or `undefined` to leave it as it is. */
    async move(work: () => Promise<Omit<ParkedRecord, 'version' | 'at'> | null | undefined>): Promise<void> {
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
    /** Resolves when nobody works there any more. New work is refused. */
    close(): Promise<void> {
      closing.abort()
      return lock.write(async () => {})
    },
  }
}

/** Aborts when the place changes, or with the given signal. `end` releases it. */
export function untilMove(
  { onMove }: Pick<Place, 'onMove'>,
  signal: AbortSignal,
): { signal: AbortSignal; end: () => void } {
  const turn = new AbortController()
  const abort = (): void => turn.abort()
  const stop = onMove(abort)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return {
    signal: turn.signal,
    end() {
      stop()
      signal.removeEventListener('abort', abort)
    },
  }
}
