// Why it is so: docs/decisions/0072-nats-runners-have-an-account-of-their-own.md

import type { Msg } from '@nats-io/transport-node'
import { type OnWarning, warningOf } from '@sandagent/core/internal'
import type { BucketNames } from '../lib/subjects.ts'
import { type Service, unreachable } from '../service/service.ts'
import { type ConsumerKind, createConsumer, type Start } from '../view/consumer.ts'
import { limitPerMinute } from './limit-per-minute.ts'
import { watchSubjects } from './runner-access.ts'

/** How often a runner hears from its consumer, in milliseconds. */
const HEARTBEAT_MS = 5000

/** How many consumers a host starts for one namespace within a minute. */
const MOST_A_MINUTE = 30

export const runnerConsumer = ({ root }: BucketNames, namespace: string, pass: string): ConsumerKind => ({
  filter: `${root}.${namespace}.${pass}.>`,
  heartbeatMs: HEARTBEAT_MS,
  hasFlowControl: false,
})

const REFUSED = JSON.stringify({ error: { description: 'refused' } })

interface WatchRequest {
  /** The last word of the subject for the messages. */
  place: string
  /** The first sequence to send. Absent: all. */
  sequence?: number | undefined
}

/**
 * Starts consumers for runners, which may not do it themselves: who may make a consumer lets the server publish anything
 * anywhere. Every host of a fleet does this, until the signal aborts, and one of them takes each request.
 */
export function openGate(
  service: Service,
  names: BucketNames,
  passOf: (namespace: string) => string,
  closed: AbortSignal,
  onWarning: OnWarning | undefined,
): void {
  const subjects = watchSubjects(names.bucket)
  const isFree = limitPerMinute(service, MOST_A_MINUTE)
  const start = async (received: Msg): Promise<void> => {
    const [namespace = '', pass = ''] = received.subject.split('.').slice(3)
    const asked = parseWatchRequest(received.string())
    if (!asked || pass !== passOf(namespace) || !isFree(namespace)) {
      received.respond(REFUSED)
      return
    }
    const deliver = subjects.deliver(namespace, pass, asked.place)
    await createConsumer(service, names, runnerConsumer(names, namespace, pass), deliver, asked.sequence)
    received.respond(JSON.stringify({}))
  }
  const subscription = service.connection.subscribe(subjects.request('*', '*'), {
    queue: 'hosts',
    callback: (error, received) => {
      if (error) return
      start(received).catch((cause: unknown) => {
        received.respond(REFUSED)
        onWarning?.(warningOf(unreachable('A runner cannot be sent its answers', cause)))
      })
    },
  })
  closed.addEventListener('abort', () => subscription.unsubscribe())
}

export async function askForConsumer(
  service: Service,
  { bucket }: BucketNames,
  { namespace, pass }: { namespace: string; pass: string },
  deliver: string,
  start: Start,
): Promise<void> {
  const place = deliver.slice(deliver.lastIndexOf('.') + 1)
  const asked: WatchRequest = { place, sequence: start }
  const subject = watchSubjects(bucket).request(namespace, pass)
  const response = (await service.request(subject, JSON.stringify(asked))).json<{ error?: unknown }>()
  if (response.error)
    throw new Error(
      `No host lets this runner read the namespace ${namespace}. Give it the pass of this namespace, and look whether a host of the fleet runs`,
    )
}

/** The request comes from a sandbox. */
function parseWatchRequest(text: string): WatchRequest | null {
  try {
    const { place, sequence } = Object(JSON.parse(text))
    const isMeant =
      typeof place === 'string' &&
      /^[A-Za-z0-9]{16,40}$/.test(place) &&
      (sequence === undefined || (Number.isSafeInteger(sequence) && sequence > 0))
    return isMeant ? { place, sequence } : null
  } catch {
    return null
  }
}
