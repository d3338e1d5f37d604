import type { Writable } from 'node:stream'

/**
 * Writes text as fast as the stream's reader takes it. When the reader has gone, further text is dropped, so that the
 * run can go on.
 *
 * @returns a function that rejects with other failures of the stream
 */
export function createWriter(stream: Writable & { isTTY?: boolean }): (text: string) => Promise<void> {
  stream.on('error', () => {}) // Each write gets its own error.
  return (text) =>
    new Promise((resolve, reject) => {
      if (stream.destroyed) return resolve()
      stream.write(text, (error) => (error && !isGone(error, stream) ? reject(error) : resolve()))
    })
}

const isGone = ({ code }: NodeJS.ErrnoException, { isTTY }: { isTTY?: boolean }): boolean =>
  code === 'EPIPE' ||
  code === 'ECONNRESET' ||
  code === 'ERR_STREAM_DESTROYED' ||
  // For a terminal EIO means that it is closed. For a file it is a failing disk.
  (code === 'EIO' && isTTY === true)

/** Aborts when the stream's reader has gone, which the next write notices. */
export function whenGone(stream: Writable): AbortSignal {
  const gone = new AbortController()
  const abort = (): void => gone.abort()
  for (const event of ['error', 'close']) stream.once(event, abort)
  if (stream.destroyed) abort()
  return gone.signal
}
