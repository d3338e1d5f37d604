import { describe, expect, it } from 'vitest'
import { bytesOf, inPieces, PIECE_BYTES, refuseFull } from '../../../src/answer/files/stored-file.ts'

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of given) found.push(one)
  return found
}

describe('the pieces of a file', () => {
  it.each([
    [[0], []],
    [[1, 2], [3]],
    [[PIECE_BYTES], [PIECE_BYTES]],
    [
      [PIECE_BYTES - 1, 2],
      [PIECE_BYTES, 1],
    ],
    [
      [5, 2 * PIECE_BYTES, 7],
      [PIECE_BYTES, PIECE_BYTES, 12],
    ],
  ])('of lengths %j are written with the lengths %j', async (given, written) => {
    let next = 0
    const bytes = given.map((length) => Uint8Array.from({ length }, () => next++ % 251))
    const pieces = await all(inPieces(bytes))
    expect(pieces.map(({ length }) => length)).toEqual(written)
    expect(Buffer.concat(pieces).equals(Buffer.concat(bytes))).toBe(true)
  })

  it('are read from where the last one ended, and no further than to where they end', async () => {
    const asked: number[] = []
    const read = (most: number) => async (offset: number) => {
      asked.push(offset)
      return { size: 10, bytes: Uint8Array.from([1, 2, 3, 4]).slice(0, Math.max(0, most - offset)) }
    }
    expect((await all(bytesOf(10, read(10)))).map(({ length }) => length)).toEqual([4, 4, 2])
    expect((await all(bytesOf(10, read(6)))).map(({ length }) => length)).toEqual([4, 2])
    expect(asked).toEqual([0, 4, 8, 0, 4, 6])
    expect(await all(bytesOf(10, async () => null))).toEqual([])
    expect(await all(bytesOf(0, read(10)))).toEqual([])
  })
})

it.each([
  [{ files: 3, bytes: 100 }, true],
  [{ files: 4, bytes: 0 }, false],
  [{ files: 0, bytes: 101 }, false],
])('%o find room for 3 files with 100 bytes: %s', (stored, hasRoom) => {
  const look = (): void => refuseFull(stored, { files: 3, bytes: 100 })
  if (hasRoom) expect(look).not.toThrow()
  else expect(look).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
})
