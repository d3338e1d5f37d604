import { setMaxListeners } from 'node:events'
import {
  type Clock,
  type HostChannel,
  type Presence,
  type PresentPerson,
  type QuestionState,
  type QuestionView,
  type Viewer,
  viewOf,
} from '@sandagent/core/internal'
import { type EventStreamOptions, eventStream } from './event-stream.ts'

/** How often access is checked again while nothing changes, in milliseconds. */
const RECHECK_MS = 30_000

export interface QuestionStreamOptions extends EventStreamOptions {
  /** The person who sees a question; `null` for one who may not see it, or no longer. */
  viewerOf: (state: QuestionState) => Promise<Viewer | null>
  /** Who else has a question open. */
  presence?: StreamPresence | undefined
}

/** The presence of other people, for one viewer. */
export interface StreamPresence {
  /** Notes that the viewer has these questions open, and calls back after each change. The returned function ends both. */
  join(onChange: (toolCallId: string) => void): () => void
  others(toolCallId: string): PresentPerson[]
}

/**
 * Streams views of questions as server-sent events, one now and one after every change, each a `data:` line of JSON. Access
 * is checked before every event and at intervals. The stream ends when the caller has lost access to one of the questions.
 * Who may answer gets more: the event `presence` follows whenever somebody else opens or leaves a question, or enters something.
 */
export const questionStream = (
  channel: HostChannel,
  toolCallIds: readonly string[],
  { viewerOf, presence, ...options }: QuestionStreamOptions,
): ReadableStream<Uint8Array> =>
  eventStream(async function* (signal) {
    const { clock } = options
    const latest = new Map<string, QuestionState>()
    /** The people that the reader knows of, as JSON, by call. */
    const known = new Map<string, string>()
    for await (const change of changesOf(channel, toolCallIds, { signal, clock, presence })) {
      if (change === null) {
        for (const toolCallId of toolCallIds)
          if (!(await viewerOf(latest.get(toolCallId) ?? { toolCallId }))) return
        continue
      }
      const isPresence = typeof change === 'string'
      const state = isPresence ? latest.get(change) : change
      // Rights depend on the question. So its presence waits for its first state.
      if (!state) continue
      const { toolCallId } = state
      latest.set(toolCallId, state)
      const people = presence?.others(toolCallId) ?? []
      const told = JSON.stringify(people)
      if (isPresence && told === known.get(toolCallId)) continue
      known.set(toolCallId, told)
      const viewer = await viewerOf(state)
      if (!viewer) return
      const isTold = viewer.mayAnswer !== false
      if (isPresence && !isTold) continue
      if (isPresence) yield `event: presence\n${dataOf({ toolCallId, people } satisfies Presence)}`
      else
        yield dataOf({
          ...viewOf(state, clock.now(), viewer),
          ...(presence && { people: isTold ? people : [] }),
        })
    }
  }, options)

const dataOf = (value: Presence | QuestionView): string => `data: ${JSON.stringify(value)}\n\n`

/**
 * The changes of several questions: a new state, the id of a call whose presence has changed, or `null` when access
 * is to be checked. Slow readers get only the latest state and the latest presence of each.
 */
async function* changesOf(
  channel: HostChannel,
  toolCallIds: readonly string[],
  { signal, clock, presence }: { signal: AbortSignal; clock: Clock; presence: StreamPresence | undefined },
): AsyncGenerator<QuestionState | string | null, void, void> {
  const latest = new Map<string, QuestionState>()
  const met = new Set<string>()
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
  // Up to a hundred questions listen. That is no leak.
  setMaxListeners(0, signal)
  let cancelTimer = setTimer()
  const stopTimer = (): void => cancelTimer()
  signal.addEventListener('abort', stopTimer)
  const leave = presence?.join((toolCallId) => {
    met.add(toolCallId)
    wake()
  })
  for (const toolCallId of toolCallIds) void collect(toolCallId)
  try {
    for (;;) {
      for (const [toolCallId, state] of latest) {
        latest.delete(toolCallId)
        yield state
      }
      for (const toolCallId of met) {
        met.delete(toolCallId)
        yield toolCallId
      }
      if (failures.length > 0) throw failures[0]
      if (isDue) {
        isDue = false
        cancelTimer = setTimer()
        yield null
      }
      if (latest.size + met.size > 0) continue
      if (left === 0) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    leave?.()
    cancelTimer()
  }
}
