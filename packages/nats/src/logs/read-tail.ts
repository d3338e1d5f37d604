import { endOf } from '@sandagent/core/store'
import { lastMessage, nextMessage } from '../service/messages.ts'
import type { Service } from '../service/service.ts'
import { pieceIn } from './piece-text.ts'

/** How far back it looks first, in sequences of the stream. */
const FIRST_LOOK = 64

/** The last bytes of a log, from the beginning of a piece. */
export async function readTail(
  service: Service,
  stream: string,
  subject: string,
  bytes: number,
): Promise<Uint8Array> {
  const last = await lastMessage(service, stream, subject)
  if (!last) return new Uint8Array()
  const from = Math.max(0, endOf(pieceIn(last.data)) - bytes)
  let found = last
  // Pieces of other logs lie between those of this one, so nobody knows how far back the first one is.
  for (let back = FIRST_LOOK; pieceIn(found.data).offset > from; back *= 2) {
    found = (await nextMessage(service, stream, subject, Math.max(1, last.sequence - back))) ?? last
    if (back >= last.sequence) break
  }
  const parts: Uint8Array[] = []
  for (;;) {
    const piece = pieceIn(found.data)
    if (endOf(piece) > from) parts.push(piece.bytes)
    const next =
      found.sequence < last.sequence ? await nextMessage(service, stream, subject, found.sequence + 1) : null
    if (!next) return Buffer.concat(parts)
    found = next
  }
}
