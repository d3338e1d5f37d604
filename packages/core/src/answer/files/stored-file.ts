// Why it is so: docs/decisions/0115-an-answer-names-its-files.md

import { AskError } from '../../lib/errors.ts'

/** A piece of the bytes of a file. */
export interface FilePiece {
  /** Of the whole file, in bytes. */
  size: number
  /** From the place on that was asked for. None at the end of the file. */
  bytes: Uint8Array
}

/** How many bytes of a file are in memory at once, and a piece that is written has at most. */
export const PIECE_BYTES = 262_144

/** A sandbox or namespace with as many files, or with as many bytes in them, takes no more until they are swept. */
const MOST_FILES = 1_000
const MOST_BYTES = 1_073_741_824

/** @throws AskError `TOO_LARGE` where there is no room for one more file */
export function refuseFull({ files, bytes }: { files: number; bytes: number }): void {
  if (files < MOST_FILES && bytes < MOST_BYTES) return
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
