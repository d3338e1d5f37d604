import { AskError } from '@sandagent/core'
import { MAX_LINE_BYTES } from './limits.ts'

const LINE_FEED = 0x0a

/**
 * Cuts bytes into lines, without their line feeds.
 *
 * @returns a function that takes the next bytes, and throws an AskError `TOO_LARGE` for a line that is too long
 */
export function createLineCutter(most: number = MAX_LINE_BYTES): (piece: Uint8Array) => string[] {
  let rest: Uint8Array[] = []
  let length = 0
  return (piece) => {
    const lines: string[] = []
    let from = 0
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      if (length + end - from > most) throw tooLong(most)
      lines.push(Buffer.concat([...rest, piece.subarray(from, end)]).toString())
      rest = []
      length = 0
      from = end + 1
    }
    if (from < piece.length) {
      rest.push(piece.subarray(from))
      length += piece.length - from
    }
    if (length > most) throw tooLong(most)
    return lines
  }
}

const tooLong = (most: number): AskError =>
  new AskError('TOO_LARGE', `A line of the relay’s protocol is longer than ${most} bytes`)
