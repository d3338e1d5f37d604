import { platform } from '../platform.ts'

/**
 * Makes an iterable of a generator that waits. A generator alone cannot be stopped while it waits, because its `return()`
 * queues behind the pending `next()`. Here `return()` aborts the signal that the generator gets. `signal` does so, too.
 */
export function stoppable<T>(
  signal: AbortSignal,
  produce: (signal: AbortSignal) => AsyncGenerator<T, void>,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const inner = new platform.AbortController()
      const stop = (): void => inner.abort()
      const values = linked(signal, stop, () => produce(inner.signal))
      return {
        next: () => values.next(),
        return() {
          stop()
          return values.return()
        },
      }
    },
  }
}

async function* linked<T>(
  signal: AbortSignal,
  stop: () => void,
  produce: () => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  if (signal.aborted) return
  signal.addEventListener('abort', stop)
  try {
    yield* produce()
  } finally {
    signal.removeEventListener('abort', stop)
    // What the generator started ends with it, also when it fails.
    stop()
  }
}
