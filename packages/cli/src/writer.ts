import type { Writable } from 'node:stream'

/**
 * Writes text as fast as the stream's reader takes it. When the reader has gone away, what follows is dropped: the
 * work goes on, and its question can still be answered.
 *
 * @returns a function that rejects with any other failure of the stream
 */
export function createWriter(stream: Writable & { isTTY?: boolean }): (text: string) => Promise<void> {
  stream.on('error', () => {}) // Each write hears of its failure itself.
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
  // A closed terminal; the same of a file is a disk that fails.
  (code === 'EIO' && isTTY === true)
