import { deferred } from '@sandagent/core/internal'

/**
 * Lets each caller wait for the promise until its own signal aborts. Each signal gets one listener, which is removed, and
 * the `onAbort` of its first caller.
 */
export function createWaiters<T>(
  promise: Promise<T>,
): (signal: AbortSignal, onAbort: () => void) => Promise<T> {
  const waits = new Map<AbortSignal, Promise<T>>()
  let isSettled = false
  const settle = (): void => {
    isSettled = true
  }
  promise.then(settle, settle)

  return (signal, onAbort) => {
    const known = isSettled ? promise : waits.get(signal)
    if (known !== undefined) return known
    const wait = deferred<T>()
    const release = (): void => {
      if (waits.delete(signal)) signal.removeEventListener('abort', abort)
    }
    const abort = (): void => {
      release()
      onAbort()
      wait.reject(signal.reason)
    }
    waits.set(signal, wait.promise)
    signal.addEventListener('abort', abort)
    promise.finally(release).then(wait.resolve, wait.reject)
    if (signal.aborted) abort()
    return wait.promise
  }
}
