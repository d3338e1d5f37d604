import type { Readable } from 'node:stream'

/** The lines of a UTF-8 stream, split at line feeds only: JSON may hold other separators. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of stream.setEncoding('utf8')) {
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
