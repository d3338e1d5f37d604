import type { RunFiles } from '@sandagent/files'
import type { RunSandbox } from '@sandagent/sdk'

/** Where the work of a parked sandbox is done at this moment: in the sandbox, or at the host's copy. */
export interface Place {
  isAwake(): boolean
  /** Works at the files in force. Nobody changes the place meanwhile. */
  use<T>(work: (files: RunFiles) => Promise<T>): Promise<T>
  /** The files in force at this moment. */
  now(): RunFiles
  /** Works in the sandbox if it is awake, and otherwise returns `null`. */
  ifAwake<T>(work: (sandbox: RunSandbox) => Promise<T>): Promise<{ value: T } | null>
  /** Wakes the sandbox, and works in it. @throws AskError `GONE` */
  awake<T>(work: (sandbox: RunSandbox) => Promise<T>): Promise<T>
  /** Resolves when the sandbox is awake, without waking it, or when it is gone. */
  notAsleep(signal?: AbortSignal): Promise<void>
  /** Whether a program ran when the sandbox fell asleep, and goes on when it wakes. */
  isParked(handle: string): boolean
  /** Whether it sleeps although the deadline of a question is near, or over. */
  isDue(): boolean
  /** @throws AskError `GONE` */
  refuseIfGone(): void
  /** Calls back after each change of the place, until the returned function is called. */
  onMove(callback: () => void): () => void
}

/** Aborts when the place changes, or with the given signal. `end` releases it. */
export function untilMove(place: Place, signal: AbortSignal): { signal: AbortSignal; end: () => void } {
  const turn = new AbortController()
  const abort = (): void => turn.abort()
  const stop = place.onMove(abort)
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
