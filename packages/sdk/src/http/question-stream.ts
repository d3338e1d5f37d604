import { type Clock, type HostChannel, type QuestionState, viewOf } from '@sandagent/core/internal'
import { type EventStreamOptions, eventStream } from './event-stream.ts'

/** How often it is asked again who may look, while nothing changes, in milliseconds. */
const RECHECK_MS = 30_000

/**
 * Views of questions as server-sent events: of each one now, if anybody knows it, and one after every change, each a
 * `data:` line of JSON. The stream ends at the first one that may not be shown; a client that
 * connects again gets the reason. Rights are checked before every event and at intervals, because people lose them while
 * a question waits.
 */
export const questionStream = (
  channel: HostChannel,
  toolCallIds: readonly string[],
  { mayShow, ...options }: EventStreamOptions & { mayShow: (state: QuestionState) => Promise<boolean> },
): ReadableStream<Uint8Array> =>
  eventStream(async function* (signal) {
    const latest = new Map(
      toolCallIds.map((toolCallId): [string, QuestionState] => [toolCallId, { toolCallId }]),
    )
    for await (const state of changesOf(channel, toolCallIds, { signal, clock: options.clock })) {
      if (state) latest.set(state.toolCallId, state)
      for (const shown of state ? [state] : latest.values()) if (!(await mayShow(shown))) return
      if (!state) continue
      yield `data: ${JSON.stringify(viewOf(state, options.clock.now()))}\n\n`
    }
  }, options)

/**
 * The changes of several questions, as one, and `null` whenever it is time to ask who may look. For a reader that is
 * slow, only the latest state of each is kept.
 */
async function* changesOf(
  channel: HostChannel,
  toolCallIds: readonly string[],
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): AsyncGenerator<QuestionState | null, void, void> {
  const latest = new Map<string, QuestionState>()
  const failures: unknown[] = []
  let left = toolCallIds.length
  let wake = (): void => {}
  const collect = async (toolCallId: string): Promise<void> => {
    try {
      for await (const state of channel.subscribe(signal, toolCallId)) {
        latest.set(toolCallId, state)
        wake()
      }
    } catch (error) {
      failures.push(error)
    }
    left--
    wake()
  }
  let isDue = false
  const setTimer = (): (() => void) =>
    clock.after(RECHECK_MS, () => {
      isDue = true
      wake()
    })
  let cancelTimer = setTimer()
  const stopTimer = (): void => cancelTimer()
  signal.addEventListener('abort', stopTimer)
  for (const toolCallId of toolCallIds) void collect(toolCallId)
  try {
    for (;;) {
      for (const [toolCallId, state] of latest) {
        latest.delete(toolCallId)
        yield state
      }
      if (failures.length > 0) throw failures[0]
      if (isDue) {
        isDue = false
        cancelTimer = setTimer()
        yield null
      }
      if (latest.size > 0) continue
      if (left === 0) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    cancelTimer()
  }
}
