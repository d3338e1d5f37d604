import { type Deferred, deferred } from '@sandagent/core/internal'

/**
 * Lets each caller wait for the promise until its own signal aborts. Each signal gets one listener, which is removed, and
 * the `onAbort` of its first caller.
 */
export function createWaiters<T>(
  promise: Promise<T>,
): (signal: AbortSignal, onAbort: () => void) => Promise<T> {
  const waits = new Map<AbortSignal, Deferred<T> & { release: () => void }>()
  let isSettled = false

  const settle = (how: (wait: Deferred<T>) => void): void => {
    isSettled = true
    for (const wait of waits.values()) {
      wait.release()
      how(wait)
    }
  }
  promise.then(
    (value) => settle(({ resolve }) => resolve(value)),
    (error) => settle(({ reject }) => reject(error)),
  )

  return (signal, onAbort) => {
    if (isSettled) return promise
    const known = waits.get(signal)
    if (known) return known.promise
    const wait = deferred<T>()
    const abort = (): void => {
      release()
      onAbort()
      wait.reject(signal.reason)
    }
    const release = (): void => {
      signal.removeEventListener('abort', abort)
      waits.delete(signal)
    }
    waits.set(signal, { ...wait, release })
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    return wait.promise
  }
}
