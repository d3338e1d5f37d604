import type { Readable } from 'node:stream'
import { withoutMark } from '@sandagent/core/internal'

/**
 * The lines of a UTF-8 stream, split at line feeds only: JSON may hold other separators. A mark before them is none of them.
 */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  let isBegun = false
  for await (const read of stream.setEncoding('utf8')) {
    const piece: string = isBegun ? read : withoutMark(read)
    isBegun ||= read !== ''
    // Search only the new piece: a long line comes in thousands of them.
    const [end, ...lines] = piece.split('\n')
    rest += end
    for (const line of lines) {
      yield withoutReturn(rest)
      rest = line
    }
  }
  if (rest !== '') yield withoutReturn(rest)
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
