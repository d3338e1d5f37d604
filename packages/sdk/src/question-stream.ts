import { type HostChannel, type QuestionState, viewOf } from '@sandagent/core'
import { type EventStreamOptions, eventStream } from './event-stream.ts'

/**
 * Views of questions as server-sent events: of each one now, if anybody knows it, and one after every change, each a
 * `data:` line of JSON. It ends at the first one that may not be shown: whoever comes again is told why.
 */
export const questionStream = (
  channel: HostChannel,
  toolCallIds: readonly string[],
  { mayShow, ...options }: EventStreamOptions & { mayShow: (state: QuestionState) => Promise<boolean> },
): ReadableStream<Uint8Array> =>
  eventStream(async function* (signal) {
    for await (const state of changesOf(channel, toolCallIds, signal)) {
      if (!(await mayShow(state))) return
      yield `data: ${JSON.stringify(viewOf(state, options.clock.now()))}\n\n`
    }
  }, options)

/** The changes of several questions, as one. For a reader that is slow, only the latest state of each is kept. */
async function* changesOf(
  channel: HostChannel,
  toolCallIds: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<QuestionState, void, void> {
  const latest = new Map<string, QuestionState>()
  const failures: unknown[] = []
  let left = toolCallIds.length
  let wake = (): void => {}
  const collect = async (toolCallId: string): Promise<void> => {
    try {
      for await (const state of channel.changes(signal, toolCallId)) {
        latest.set(toolCallId, state)
        wake()
      }
    } catch (error) {
      failures.push(error)
    }
    left--
    wake()
  }
  for (const toolCallId of toolCallIds) void collect(toolCallId)
  for (;;) {
    for (const [toolCallId, state] of latest) {
      latest.delete(toolCallId)
      yield state
    }
    if (failures.length > 0) throw failures[0]
    if (latest.size > 0) continue
    if (left === 0) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}
