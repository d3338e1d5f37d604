import {
  AskError,
  createWakeSignal,
  digestOf,
  type HostChannel,
  type QuestionState,
  type Viewer,
  viewOf,
} from '@sandagent/core/internal'
import { type EventStreamOptions, eventStream } from './event-stream.ts'
import { createRounds } from './rounds.ts'

/** A question, and the person who sees it. */
export interface FoundQuestion {
  state: QuestionState
  viewer: Viewer
}

export interface WaitingStreamOptions extends EventStreamOptions {
  /** The questions that wait and that the reader may see, oldest first. */
  list: () => Promise<FoundQuestion[]>
  /** The person who sees a question; `null` for one who may not see it. */
  viewerOf: (state: QuestionState) => Promise<Viewer | null>
  waits: (state: QuestionState) => boolean
}

/**
 * Streams all questions that wait: the event `list` with their views, then a view after every change, the last one when the
 * question no longer waits. Access is checked as for the stream of ids. The list comes again when another question may be
 * seen by then. The reader has none of them open: the presence of people is for streams of ids.
 *
 * @throws AskError what the first list throws
 */
export async function waitingStream(
  channel: HostChannel,
  { list, viewerOf, waits, ...options }: WaitingStreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const { clock } = options
  /** What the reader knows of: the digest of each question's state. */
  let told = new Map<string, string>()
  const listOf = (found: FoundQuestion[]): string => {
    told = new Map(found.map(({ state }) => [state.toolCallId, digestOf(state)]))
    const questions = found.map(({ state, viewer }) => viewOf(state, clock.now(), viewer))
    return `event: list\n${dataOf({ questions })}`
  }
  const isTold = (found: FoundQuestion[]): boolean =>
    found.length === told.size && found.every(({ state }) => told.has(state.toolCallId))
  // Whatever changes while the list is made is in the subscription, which begins later.
  const opening = listOf(await list())

  return eventStream(
    async function* (signal) {
      const wake = createWakeSignal(signal)
      const changed = new Map<string, QuestionState>()
      const collect = async (): Promise<void> => {
        for await (const state of channel.subscribe(signal)) {
          const { toolCallId } = state
          // Of settled questions there may be very many. Only those matter that the reader knows of, or will.
          if (!waits(state) && !told.has(toolCallId) && !changed.has(toolCallId)) continue
          changed.set(toolCallId, state)
          wake.ring()
        }
      }
      const collected = collect()
      const rounds = createRounds(collected, wake, clock)
      try {
        while (!signal.aborted) {
          const { isCheck, isLast } = rounds.begin()
          for (const [toolCallId, state] of changed) {
            changed.delete(toolCallId)
            const before = told.get(toolCallId)
            const digest = digestOf(state)
            const isKnown = before !== undefined
            // Whether an answer still counts is not known before the receipt.
            if (state.record?.state === 'closing' || digest === before || !(isKnown || waits(state))) continue
            told.set(toolCallId, digest)
            const viewer = await viewerOf(state)
            if (!viewer && isKnown) return
            if (!viewer || !waits(state)) told.delete(toolCallId)
            if (viewer) yield dataOf(viewOf(state, clock.now(), viewer))
          }
          const found = isCheck && (await list())
          if (found && !isTold(found)) yield listOf(found)
          if (isLast) return void (await collected)
          await wake.sleep()
        }
      } catch (error) {
        // The reader learns why when it connects again.
        if (!(error instanceof AskError)) throw error
      } finally {
        rounds.end()
      }
    },
    { ...options, opening },
  )
}

const dataOf = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
