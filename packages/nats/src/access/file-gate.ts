// Why it is so: docs/decisions/0072-nats-runners-have-an-account-of-their-own.md

import { headers, type Msg } from '@nats-io/transport-node'
import {
  AskError,
  ATTACHMENT_LIMITS,
  type FilePiece,
  type OnWarning,
  warningOf,
} from '@sandagent/core/internal'
import type { NatsFiles } from '../files/nats-files.ts'
import type { BucketNames } from '../lib/subjects.ts'
import { orUnreachable, REQUEST_MS, type Service, unreachable } from '../service/service.ts'
import { filesSubject } from './runner-access.ts'

const SIZE_HEADER = 'Sandagent-File-Size'
const REFUSED_HEADER = 'Sandagent-Refused'

interface PieceRequest {
  toolCallId: string
  name: string
  offset: number
}

/**
 * Reads files for runners, which have no access to the stream: its API gives any message to anybody. Every host of a fleet does
 * this, until the signal aborts, and one of them takes each request. A host reads one piece at a time for a namespace, so its
 * runners get files as fast as that goes, and keep nobody else from theirs.
 */
export function openFileGate(
  service: Service,
  { bucket }: BucketNames,
  passOf: (namespace: string) => string,
  files: NatsFiles,
  closed: AbortSignal,
  onWarning: OnWarning | undefined,
): void {
  const inLine = linesOf(service)
  const refuse = (received: Msg): void => {
    received.respond('', { headers: headerOf(REFUSED_HEADER, 'true') })
  }
  const give = async (received: Msg): Promise<void> => {
    const [namespace = '', pass = ''] = received.subject.split('.').slice(3)
    const asked = parsePieceRequest(received.string())
    if (!asked || pass !== passOf(namespace)) return refuse(received)
    const isTaken = inLine(namespace, async () => {
      const piece = await files.of(namespace).readFile(asked.toolCallId, asked.name, asked.offset)
      if (!piece) received.respond('')
      else received.respond(piece.bytes, { headers: headerOf(SIZE_HEADER, String(piece.size)) })
    })
    await (isTaken ?? refuse(received))
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

/**
 * Does one thing at a time for each namespace, in the order of its requests. `null`: so many wait that this one has to come
 * again. A request is forgotten after the time in which its sender waits for it.
 */
function linesOf({ clock }: Pick<Service, 'clock'>) {
  const lines = new Map<string, { length: number; last: Promise<void> }>()
  return (namespace: string, work: () => Promise<void>): Promise<void> | null => {
    const line = lines.get(namespace) ?? { length: 0, last: Promise.resolve() }
    if (line.length >= ATTACHMENT_LIMITS.files) return null
    const until = clock.now() + REQUEST_MS
    const done = line.last.then(() => (clock.now() < until ? work() : undefined))
    const leave = (): void => {
      line.length -= 1
      if (line.length === 0) lines.delete(namespace)
    }
    line.length += 1
    line.last = done.then(leave, leave)
    lines.set(namespace, line)
    return done
  }
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
