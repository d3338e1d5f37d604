/**
 * Makes an iterable of a generator that waits. A generator alone cannot be stopped while it waits: its `return()`
 * stands in line behind the pending `next()`. Here that aborts the signal which the generator gets, and so does
 * `signal` itself.
 */
export function stoppable<T>(
  signal: AbortSignal,
  produce: (signal: AbortSignal) => AsyncGenerator<T, void>,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const inner = new AbortController()
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
  }
}
