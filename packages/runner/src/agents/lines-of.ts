import type { Readable } from 'node:stream'

/** The lines of a stream of UTF-8 text, without their ends. Only line feeds end one: JSON may hold other separators. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of stream.setEncoding('utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() as string
    yield* lines.map(withoutReturn)
  }
  if (rest !== '') yield withoutReturn(rest)
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
