// Why it is so: docs/decisions/0115-an-answer-names-its-files.md

import { AskError } from '../../lib/errors.ts'

/** A piece of the bytes of a file. */
export interface FilePiece {
  /** Of the whole file, in bytes. */
  size: number
  /** From the place on that was asked for. None at the end of the file. */
  bytes: Uint8Array
}

/** How many bytes of a file are in memory at once: the length of each piece that is written, but for the last one. */
export const PIECE_BYTES = 262_144

/** A number of files, and of the bytes in all of them. */
export interface FileRoom {
  files: number
  bytes: number
}

/** What a sandbox or a namespace has room for. It takes no more until files are swept. */
export const FILE_ROOM: FileRoom = { files: 1_000, bytes: 1_073_741_824 }

/** @throws AskError `TOO_LARGE` for more than there is room for */
export function refuseFull({ files, bytes }: FileRoom, room: FileRoom): void {
  if (files <= room.files && bytes <= room.bytes) return
  throw new AskError(
    'TOO_LARGE',
    'There is no room for more files here. Answer in words, or remove old questions and the files of their answers',
  )
}

/** The bytes of a file from its first to its last, or to where they end before. */
export async function* bytesOf(
  size: number,
  read: (offset: number) => Promise<FilePiece | null>,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = await read(at)
    if (!piece || piece.bytes.length === 0) return
    yield piece.bytes
    at += piece.bytes.length
  }
}

/** The same bytes in pieces as they are written: small ones are joined, and large ones are cut. */
export async function* inPieces(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(PIECE_BYTES)
  let length = 0
  for await (const given of bytes)
    for (let at = 0; at < given.length; ) {
      const part = given.subarray(at, at + PIECE_BYTES - length)
      piece.set(part, length)
      length += part.length
      at += part.length
      if (length < PIECE_BYTES) continue
      yield piece
      // Its reader may keep the last one.
      piece = new Uint8Array(PIECE_BYTES)
      length = 0
    }
  if (length > 0) yield piece.subarray(0, length)
}
