// Why it is so: docs/decisions/0072-nats-runners-have-an-account-of-their-own.md

import { headers, type Msg } from '@nats-io/transport-node'
import { AskError, type FilePiece, type OnWarning, warningOf } from '@sandagent/core/internal'
import type { NatsFiles } from '../files/nats-files.ts'
import type { BucketNames } from '../lib/subjects.ts'
import { orUnreachable, type Service, unreachable } from '../service/service.ts'
import { limitPerMinute } from './limit-per-minute.ts'
import { filesSubject } from './runner-access.ts'

/** How many pieces a host reads for one namespace within a minute: ten of the largest files. */
const MOST_A_MINUTE = 1000

const SIZE_HEADER = 'Sandagent-File-Size'
const REFUSED_HEADER = 'Sandagent-Refused'

interface PieceRequest {
  toolCallId: string
  name: string
  offset: number
}

/**
 * Reads files for runners, which have no access to the stream: its API gives any message to anybody. Every host of a fleet does
 * this, until the signal aborts, and one of them takes each request.
 */
export function openFileGate(
  service: Service,
  { bucket }: BucketNames,
  passOf: (namespace: string) => string,
  files: NatsFiles,
  closed: AbortSignal,
  onWarning: OnWarning | undefined,
): void {
  const isFree = limitPerMinute(service, MOST_A_MINUTE)
  const refuse = (received: Msg): void => {
    received.respond('', { headers: headerOf(REFUSED_HEADER, 'true') })
  }
  const give = async (received: Msg): Promise<void> => {
    const [namespace = '', pass = ''] = received.subject.split('.').slice(3)
    const asked = parsePieceRequest(received.string())
    if (!asked || pass !== passOf(namespace) || !isFree(namespace)) return refuse(received)
    const piece = await files.of(namespace).readFile(asked.toolCallId, asked.name, asked.offset)
    if (!piece) received.respond('')
    else received.respond(piece.bytes, { headers: headerOf(SIZE_HEADER, String(piece.size)) })
  }
  const subscription = service.connection.subscribe(filesSubject(bucket, '*', '*'), {
    queue: 'hosts',
    callback: (error, received) => {
      if (error) return
      give(received).catch((cause: unknown) => {
        refuse(received)
        onWarning?.(warningOf(unreachable('A runner cannot be given a file of its answer', cause)))
      })
    },
  })
  closed.addEventListener('abort', () => subscription.unsubscribe())
}

/** Asks a host for a piece of a file. */
export const askForPiece = (
  service: Service,
  { bucket }: BucketNames,
  { namespace, pass }: { namespace: string; pass: string },
  asked: PieceRequest,
): Promise<FilePiece | null> =>
  orUnreachable('The files of answers cannot be reached', async () => {
    const reply = await service.request(filesSubject(bucket, namespace, pass), JSON.stringify(asked))
    if (reply.headers?.has(REFUSED_HEADER))
      throw new AskError('UNREACHABLE', 'No host gives files to this runner now. It asks again')
    const size = Number(reply.headers?.get(SIZE_HEADER) || Number.NaN)
    return Number.isSafeInteger(size) ? { size, bytes: reply.data } : null
  })

function headerOf(name: string, value: string): ReturnType<typeof headers> {
  const header = headers()
  header.set(name, value)
  return header
}

/** The request comes from a sandbox. */
function parsePieceRequest(text: string): PieceRequest | null {
  try {
    const { toolCallId, name, offset } = Object(JSON.parse(text))
    const isMeant = typeof toolCallId === 'string' && typeof name === 'string' && Number.isSafeInteger(offset)
    return isMeant && offset >= 0 ? { toolCallId, name, offset } : null
  } catch {
    return null
  }
}
