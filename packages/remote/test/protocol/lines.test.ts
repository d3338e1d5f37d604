import { expect, it } from 'vitest'
import { createLineCutter } from '../../src/protocol/lines.ts'

const bytes = (text: string) => Buffer.from(text)

it('lines come whole, however their bytes are cut', () => {
  const text = 'one\n\nzwölf\nthree'
  for (let size = 1; size <= text.length; size++) {
    const cut = createLineCutter()
    const all = bytes(text)
    const lines: string[] = []
    for (let from = 0; from < all.length; from += size) lines.push(...cut(all.subarray(from, from + size)))
    expect(lines, `pieces of ${size}`).toEqual(['one', '', 'zwölf'])
    expect(cut(bytes('\n'))).toEqual(['three'])
  }
})

it.each([
  ['in one piece', ['12345\n'], ['123456\n']],
  ['in two pieces', ['123', '45\n'], ['123', '456\n']],
  ['without an end', ['12345'], ['123456']],
  ['without an end, in two pieces', ['123', '45'], ['123', '456']],
  ['after another', ['1\n12345\n'], ['1\n123456\n']],
])('a line may have so many bytes and no more, %s', (_, right, wrong) => {
  const take = (pieces: string[]) =>
    pieces.flatMap(
      (
        (cut) => (piece: string) =>
          cut(bytes(piece))
      )(createLineCutter(() => 5)),
    )
  expect(take(right).join()).toBe(right.join('').split('\n').slice(0, -1).join())
  expect(() => take(wrong)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
})

it('a line counts for itself alone', () => {
  const cut = createLineCutter(() => 5)
  for (let count = 0; count < 3; count++)
    expect([...cut(bytes('1234')), ...cut(bytes('5\n'))]).toEqual(['12345'])
})
