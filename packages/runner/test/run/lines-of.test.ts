import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../src/run/lines-of.ts'

/** The lines of a stream that comes in these pieces. */
async function linesIn(...pieces: (string | Buffer)[]): Promise<string[]> {
  const lines: string[] = []
  for await (const line of linesOf(Readable.from(pieces.map((piece) => Buffer.from(piece))))) lines.push(line)
  return lines
}

describe('linesOf', () => {
  it('puts together lines that come in pieces', async () => {
    expect(await linesIn('a', 'b\nc', 'd\n\ne\n')).toEqual(['ab', 'cd', '', 'e'])
  })

  it('gives the last line also without an end', async () => {
    expect(await linesIn('a\nb')).toEqual(['a', 'b'])
    expect(await linesIn('')).toEqual([])
  })

  it('leaves out the mark of the byte order before the first line alone', async () => {
    const mark = Buffer.from('\uFEFF')
    expect(await linesIn(mark.subarray(0, 1), mark.subarray(1), 'a\n\uFEFFb\n')).toEqual(['a', '\uFEFFb'])
  })

  it('takes the line ends of Windows', async () => {
    expect(await linesIn('a\r', '\nb\rc\r\n')).toEqual(['a', 'b\rc'])
  })

  it('keeps characters whole that are cut in between, and line separators that JSON may hold', async () => {
    const [first, second] = [Buffer.from('"ü').subarray(0, 2), Buffer.from('ü').subarray(1)]
    expect(await linesIn(first, second, '\u2028"\n')).toEqual(['"ü\u2028"'])
  })
})
