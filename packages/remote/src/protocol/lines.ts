import { AskError } from '@sandagent/core'
import { MAX_LINE_BYTES } from './limits.ts'

const LINE_FEED = 0x0a

/**
 * Cuts bytes into lines, without their line feeds.
 *
 * @param mostBytes how long a line may be at this moment
 * @returns a function that takes the next bytes, and throws an AskError `TOO_LARGE` for a line that is too long
 */
export function createLineCutter(
  mostBytes: () => number = () => MAX_LINE_BYTES,
): (piece: Uint8Array) => string[] {
  /** The bytes of a line that goes on are its first `length` ones. A far end may send each byte alone. */
  let begun: Buffer = Buffer.alloc(0)
  let length = 0
  const add = (piece: Uint8Array): void => {
    if (length + piece.length > begun.length) {
      const larger = Buffer.allocUnsafe(2 * (length + piece.length))
      begun.copy(larger, 0, 0, length)
      begun = larger
    }
    begun.set(piece, length)
    length += piece.length
  }
  return (piece) => {
    const most = mostBytes()
    const lines: string[] = []
    let from = 0
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      if (length + end - from > most) throw tooLong(most)
      add(piece.subarray(from, end))
      lines.push(begun.toString('utf8', 0, length))
      begun = Buffer.alloc(0)
      length = 0
      from = end + 1
    }
    if (length + piece.length - from > most) throw tooLong(most)
    if (from < piece.length) add(piece.subarray(from))
    return lines
  }
}

const tooLong = (most: number): AskError =>
  new AskError('TOO_LARGE', `A line of the relay’s protocol is longer than ${most} bytes`)
