import { type HostChannel, viewOf } from '@sandagent/core'
import { type EventStreamOptions, eventStream } from './event-stream.ts'

/**
 * Views of a question as server-sent events: one now, if anybody knows the question, and one after every change, each
 * a `data:` line of JSON.
 */
export const questionStream = (
  channel: HostChannel,
  toolCallId: string,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> =>
  eventStream(async function* (signal) {
    for await (const state of channel.changes(signal, toolCallId))
      yield `data: ${JSON.stringify(viewOf(state, options.clock.now()))}\n\n`
  }, options)
