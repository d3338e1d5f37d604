import { type AGUIEvent, EventType, type RunAgentInput } from '@ag-ui/core'
import { formatRequest } from '@sandagent/core/dialects/ag-ui'
import { createWakeSignal, hasSecret, type QuestionView, systemClock } from '@sandagent/core/internal'
import type { InnerRequests } from './inner-requests.ts'
import { interruptId } from './interrupt-id.ts'
import { type Chunk, type Ending, ToEvents } from './to-events.ts'

/** How long a run goes on after it asks, in milliseconds: it may ask more at once, and say the end of a sentence. */
const SETTLE_MS = 200

export interface ReplyStream {
  input: Pick<RunAgentInput, 'threadId' | 'runId'>
  chunks: AsyncIterable<Chunk>
  inner: InnerRequests
  /** How many chunks the client has, and the calls that it has answered. */
  told: number
  answered: readonly string[]
}

/** Tells a reply from there on, until it has ended or waits for answers. */
export async function* runEvents(
  { input, chunks, inner, told, answered }: ReplyStream,
  signal: AbortSignal,
): AsyncGenerator<AGUIEvent, void> {
  const { threadId, runId } = input
  const translated = new ToEvents()
  const waiting = new Map<string, QuestionView>()
  const wake = createWakeSignal(signal)
  const fail = { error: undefined as unknown }
  const onEnd = (error: unknown): void => {
    fail.error = error ?? new Error('The questions of this run can be followed no more')
    wake.ring()
  }
  followWaiting(await inner.questions(), waiting, wake.ring).then(onEnd, onEnd)
  const reader = readAhead(chunks, wake.ring)
  let cancelTimer: (() => void) | undefined
  let hasSettled = false
  try {
    for (;;) {
      for (let next = reader.take(); next; next = reader.take()) {
        if ('error' in next) {
          if (signal.aborted) return
          throw next.error
        }
        const { events, ending } = next.chunk ? translated.read(next.chunk) : CUT
        if (translated.count > told) yield* events
        // What the client has ended so.
        else if (translated.count === told) {
          translated.closeAll()
          if (!answered.every((toolCallId) => translated.has(toolCallId))) return yield OVER
        }
        if (ending) {
          yield* translated.closeAll()
          return yield endOf(ending, { threadId, runId })
        }
        if (hasSettled) break
      }
      if (signal.aborted) return
      if (fail.error !== undefined) throw fail.error
      const asked = [...waiting.values()].filter(
        // A secret waits for a page: a client would send what is typed as text.
        ({ toolCallId, questions }) => translated.has(toolCallId) && !hasSecret(questions),
      )
      if (asked.length === 0 || translated.count < told) {
        cancelTimer?.()
        cancelTimer = undefined
        hasSettled = false
      } else if (hasSettled) {
        yield* translated.closeAll()
        const count = translated.count
        const interrupts = asked.map((view) =>
          formatRequest(view.questions, {
            id: interruptId(threadId, count, view),
            toolCallId: view.toolCallId,
            deadline: view.deadline,
            subject: view.subject,
          }),
        )
        const outcome = { type: 'interrupt' as const, interrupts }
        return yield { type: EventType.RUN_FINISHED, threadId, runId, outcome }
      } else
        cancelTimer ??= systemClock.after(SETTLE_MS, () => {
          hasSettled = true
          wake.ring()
        })
      await wake.sleep()
    }
  } finally {
    cancelTimer?.()
    await reader.stop()
  }
}

/** The reply of this thread is another one by now. */
const OVER: AGUIEvent = {
  type: EventType.RUN_ERROR,
  code: 'GONE',
  message: 'The run that asked this has ended. Send a message to begin another',
}

/** A stream that ends without an end. */
const CUT: { events: AGUIEvent[]; ending: Ending } = {
  events: [],
  ending: { kind: 'failed', message: 'The agent ended before it was done' },
}

function endOf(ending: Ending, run: { threadId: string; runId: string }): AGUIEvent {
  switch (ending.kind) {
    case 'failed':
      return { type: EventType.RUN_ERROR, message: ending.message }
    case 'stopped':
      return { type: EventType.RUN_FINISHED, ...run, outcome: { type: 'cancelled' } }
    default:
      return { type: EventType.RUN_FINISHED, ...run, outcome: { type: 'success' } }
  }
}

/** Keeps what waits and can be answered by this caller. */
async function followWaiting(
  changes: AsyncIterable<QuestionView[]>,
  waiting: Map<string, QuestionView>,
  onChange: () => void,
): Promise<void> {
  for await (const views of changes) {
    for (const view of views) {
      if (view.state === 'open' && view.mayAnswer !== false) waiting.set(view.toolCallId, view)
      else waiting.delete(view.toolCallId)
    }
    onChange()
  }
}

/** What the reader of a stream gets: without a chunk its end. */
type Next = { chunk?: Chunk } | { error: unknown; chunk?: never }

/** One chunk that is there, without waiting. */
function readAhead(chunks: AsyncIterable<Chunk>, onNext: () => void) {
  const iterator = chunks[Symbol.asyncIterator]()
  let ready: Next | null = null
  const advance = (): void => {
    iterator.next().then(
      ({ done, value }) => {
        ready = done ? {} : { chunk: value }
        onNext()
      },
      (error) => {
        ready = { error }
        onNext()
      },
    )
  }
  advance()
  return {
    take(): Next | null {
      const taken = ready
      ready = null
      if (taken?.chunk) advance()
      return taken
    },
    stop: async (): Promise<void> => void iterator.return?.(undefined),
  }
}
