import { type Clock, type HostChannel, type QuestionState, viewOf } from '@sandagent/core/internal'
import { type EventStreamOptions, eventStream } from './event-stream.ts'

/** How often access is checked again while nothing changes, in milliseconds. */
const RECHECK_MS = 30_000

/**
 * Streams views of questions as server-sent events, one now and one after every change, each a `data:` line of JSON. Access
 * is checked before every event and at intervals. The stream ends when the caller has lost access to one of the questions.
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

/** The changes of several questions, and `null` when access is to be checked. Slow readers get only the latest state. */
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
