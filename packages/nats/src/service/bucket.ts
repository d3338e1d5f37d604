import type { BucketNames } from '../lib/subjects.ts'
import { JetStreamError, type Service } from './service.ts'

const STREAM_NOT_FOUND = 10059
const STREAM_NAME_IN_USE = 10058

export interface BucketOptions {
  /** How many servers have a copy: 1, 3 or 5. */
  replicas: number
  /** How many versions of each text are kept; -1: all. */
  history: number
  /** When a message is removed, in milliseconds. Default: never. */
  maxAgeMs?: number
}

/**
 * Makes the stream of a bucket, unless it is there. It has the shape of a NATS key-value bucket, with one difference: no
 * roll-up. With roll-ups, one header of one message empties a whole bucket, and a user who may write one key may send that
 * header.
 */
export async function makeBucket(
  service: Service,
  { stream, root }: BucketNames,
  { replicas, history, maxAgeMs = 0 }: BucketOptions,
): Promise<void> {
  try {
    await service.jetStream(`STREAM.INFO.${stream}`)
    return
  } catch (error) {
    if (!(error instanceof JetStreamError) || error.number !== STREAM_NOT_FOUND) throw error
  }
  try {
    await service.jetStream(`STREAM.CREATE.${stream}`, {
      name: stream,
      subjects: [`${root}.>`],
      storage: 'file',
      retention: 'limits',
      discard: 'new',
      num_replicas: replicas,
      max_msgs_per_subject: history,
      max_msgs: -1,
      max_bytes: -1,
      max_age: maxAgeMs * 1_000_000,
      max_msg_size: -1,
      max_consumers: -1,
      duplicate_window: 0,
      allow_rollup_hdrs: false,
      deny_delete: true,
      allow_direct: false,
    })
  } catch (error) {
    // Another host has just made it.
    if (!(error instanceof JetStreamError) || error.number !== STREAM_NAME_IN_USE) throw error
  }
}
