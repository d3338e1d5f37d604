import { setMaxListeners } from 'node:events'
import {
  type Author,
  createWakeSignal,
  type HostChannel,
  type Presence,
  type QuestionState,
  type QuestionView,
  type Viewer,
  viewOf,
} from '@sandagent/core/internal'
import { type EventStreamOptions, eventStream } from './event-stream.ts'
import type { PresenceBook } from './presence.ts'
import { createRounds } from './rounds.ts'

export interface QuestionStreamOptions extends EventStreamOptions {
  /** The person who sees a question; `null` for one who may not see it, or no longer. */
  viewerOf: (state: QuestionState) => Promise<Viewer | null>
  /** Who has which question open. The reader has. */
  presence: PresenceBook
  /** The place of a question in the book, and the reader as the host knows them there. */
  placeOf: (toolCallId: string) => [place: string, reader: Author]
}

/**
 * Streams views of questions as server-sent events, one now and one after every change, each a `data:` line of JSON. Access
 * is checked before every event and at intervals. The stream ends when the caller has lost access to one of the questions.
 * Who may answer gets more: the event `presence` follows whenever somebody else opens or leaves a question, or enters
 * something. Slow readers get only the latest state and the latest presence of each question.
 */
export const questionStream = (
  channel: HostChannel,
  toolCallIds: readonly string[],
  { viewerOf, presence, placeOf, ...options }: QuestionStreamOptions,
): ReadableStream<Uint8Array> =>
  eventStream(async function* (signal) {
    const { clock } = options
    const wake = createWakeSignal(signal)
    const states = new Map<string, QuestionState>()
    const changed = new Set<string>()
    /** The people that the reader knows of, as JSON, by call. */
    const told = new Map<string, string>()
    const collect = async (toolCallId: string): Promise<void> => {
      for await (const state of channel.subscribe(signal, toolCallId)) {
        states.set(toolCallId, state)
        changed.add(toolCallId)
        wake.ring()
      }
    }
    // Up to a hundred questions listen. That is no leak.
    setMaxListeners(0, signal)
    const ends = toolCallIds.flatMap((toolCallId) => {
      const [place, reader] = placeOf(toolCallId)
      return [presence.onChange(place, wake.ring), presence.open(place, reader)]
    })
    const collected = Promise.all(toolCallIds.map(collect))
    const rounds = createRounds(collected, wake, clock)
    try {
      while (!signal.aborted) {
        const { isCheck, isLast } = rounds.begin()
        for (const toolCallId of toolCallIds) {
          const state = states.get(toolCallId)
          const people = presence.others(...placeOf(toolCallId))
          const json = JSON.stringify(people)
          const isNew = changed.delete(toolCallId)
          // Rights depend on the question. So its presence waits for its first state.
          const isPresence = state !== undefined && json !== told.get(toolCallId)
          if (!isNew && !isPresence && !isCheck) continue
          const viewer = await viewerOf(state ?? { toolCallId })
          if (!viewer) return
          if (!state) continue
          told.set(toolCallId, json)
          const isTold = viewer.mayAnswer !== false
          if (isNew) yield dataOf({ ...viewOf(state, clock.now(), viewer), people: isTold ? people : [] })
          else if (isPresence && isTold) yield `event: presence\n${dataOf({ toolCallId, people })}`
        }
        if (isLast) return void (await collected)
        await wake.sleep()
      }
    } finally {
      for (const leave of ends) leave()
      rounds.end()
    }
  }, options)

const dataOf = (value: Presence | QuestionView): string => `data: ${JSON.stringify(value)}\n\n`
