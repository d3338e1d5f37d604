import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { BucketNames } from '../lib/subjects.ts'
import type { Service } from '../service/service.ts'
import type { StreamMessage } from './contents.ts'

const MS = 1_000_000

/** The first sequence that a consumer sends. Absent: all from the first on. */
export type Start = number | undefined

/** What a consumer sends, and how. */
export interface ConsumerKind {
  filter: string
  heartbeatMs: number
  /** The server stops sending until the reader says that it has read. It needs the right to publish to `$JS.FC.>`. */
  hasFlowControl: boolean
}

/** How long a consumer without a reader lives, in milliseconds. */
const UNREAD_MS = 30_000

/**
 * Lets the server send what is and what will be in the stream, in order. The consumer lives while somebody subscribes.
 *
 * @param deliver the subject that its messages are sent to
 */
export async function createConsumer(
  service: Service,
  { stream }: BucketNames,
  { filter, heartbeatMs, hasFlowControl }: ConsumerKind,
  deliver: string,
  start: Start,
): Promise<void> {
  const name = `s${deliver.slice(deliver.lastIndexOf('.') + 1)}`
  await service.jetStream(`CONSUMER.CREATE.${stream}.${name}.${filter}`, {
    stream_name: stream,
    config: {
      name,
      deliver_subject: deliver,
      filter_subject: filter,
      ack_policy: 'none',
      max_deliver: 1,
      mem_storage: true,
      num_replicas: 1,
      replay_policy: 'instant',
      idle_heartbeat: heartbeatMs * MS,
      inactive_threshold: UNREAD_MS * MS,
      ...(hasFlowControl && { flow_control: true }),
      ...(start === undefined
        ? { deliver_policy: 'all' }
        : { deliver_policy: 'by_start_sequence', opt_start_seq: start }),
    },
  })
}

/** A message of a consumer, or what it says beside messages. */
export type Delivery =
  | { kind: 'message'; consumerSequence: number; message: StreamMessage }
  | { kind: 'heartbeat'; consumerSequence: number | undefined }
  | { kind: 'other' }

/** What a consumer has sent. It answers flow control itself. */
export function readDelivery(message: Msg, connection: NatsConnection): Delivery {
  const status = message.headers?.code ?? 0
  if (status === 100) {
    const stalled = message.headers?.get('Nats-Consumer-Stalled')
    if (message.reply) message.respond()
    else if (stalled) connection.publish(stalled)
    const last = message.headers?.get('Nats-Last-Consumer')
    return { kind: 'heartbeat', consumerSequence: last ? Number(last) : undefined }
  }
  // $JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<consumer sequence>.<time>.<pending>, with two names more in newer
  // servers
  const words = (message.reply ?? '').split('.')
  if (status > 0 || words[1] !== 'ACK') return { kind: 'other' }
  const [sequence, consumerSequence, time] = words.slice(words.length > 9 ? 7 : 5)
  return {
    kind: 'message',
    consumerSequence: Number(consumerSequence),
    message: {
      subject: message.subject,
      sequence: Number(sequence),
      storedAt: Math.floor(Number(time) / MS),
      bytes: message.data.length,
      text: () => message.string(),
      header: (name) => message.headers?.get(name) ?? '',
    },
  }
}
