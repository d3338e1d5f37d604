import type { LogPiece } from '@sandagent/core/store'

/** A piece as a message: its facts as JSON in the first line, then its bytes. */
export const pieceText = ({ bytes, ...facts }: LogPiece): Uint8Array =>
  Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), bytes])

/** Only hosts of the fleet write to the stream. */
export function pieceIn(data: Buffer): LogPiece {
  const end = data.indexOf('\n')
  const facts = JSON.parse(data.toString('utf8', 0, end)) as Omit<LogPiece, 'bytes'>
  return { ...facts, bytes: data.subarray(end + 1) }
}
