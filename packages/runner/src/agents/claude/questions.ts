import {
  DEFAULT_TIMEOUT_MS,
  DEFAULT_TIMEOUT_POLICY,
  type Outcome,
  type RunnerChannel,
  systemClock,
} from '@sandagent/core/internal'
import type { AskOptions } from '../../ask/ask-options.ts'
import type { AskRequest } from '../../ask/ask-request.ts'
import { askUser } from '../../ask/ask-user.ts'

export interface ClaudeQuestionsOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'signal' | 'onWarning'> {
  channel: RunnerChannel
  /** Called once a question can be answered. Its promise is awaited. */
  onAsked?: ((request: AskRequest) => void | Promise<void>) | undefined
}

/** Asks the questions of one session of Claude. */
export interface ClaudeQuestions {
  /** The binary may deliver a request twice: both get the same outcome. */
  ask(request: AskRequest, signal?: AbortSignal): Promise<Outcome>
  /**
   * Waits for `waitMs` milliseconds, with `alone` also until nothing else waits. `null`: the question is still open, and
   * a later `ask` adopts it.
   */
  askFor(
    waitMs: number,
    request: AskRequest,
    options?: { alone?: boolean; signal?: AbortSignal },
  ): Promise<Outcome | null>
  /** The outcome of a question; `undefined` for permissions and unknown ids. */
  questionOutcome(toolCallId: string): Promise<Outcome | undefined>
  settled(): Promise<void>
}

export function createClaudeQuestions(options: ClaudeQuestionsOptions): ClaudeQuestions {
  const {
    channel,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    timeoutPolicy = DEFAULT_TIMEOUT_POLICY,
    clock = systemClock,
  } = options
  const asked = new Map<string, { request: string; isQuestion: boolean; outcome: Promise<Outcome> }>()
  const waiting = new Set<Promise<unknown>>()
  const onEnded = new Set<() => void>()

  const put = (request: AskRequest, signal: AbortSignal | undefined, more?: AskOptions): Promise<Outcome> => {
    const { onAsked, onWarning } = options
    const outcome = askUser(channel, request, {
      timeoutMs,
      timeoutPolicy: request.kind === 'approval' ? 'decline' : timeoutPolicy,
      signal: AbortSignal.any([options.signal, signal].filter((each) => each !== undefined)),
      clock,
      ...(onAsked && { onAsked: () => onAsked(request) }),
      onWarning,
      ...more,
    })
    waiting.add(outcome)
    const end = (): void => {
      waiting.delete(outcome)
      for (const listener of [...onEnded]) listener()
    }
    outcome.then(end, end)
    return outcome
  }

  return {
    ask(request, signal) {
      const { toolCallId } = request
      const text = JSON.stringify(request)
      const before = asked.get(toolCallId)
      if (before?.request === text) return before.outcome
      const outcome = put(request, signal)
      // Another request with this id ends in a conflict. The first one stays.
      if (!before) asked.set(toolCallId, { request: text, isQuestion: request.kind !== 'approval', outcome })
      return outcome
    },

    async askFor(waitMs, request, { alone = false, signal } = {}) {
      const detach = new AbortController()
      let isDue = false
      const detachIfDue = (): void => {
        if (isDue && (!alone || waiting.size === 1)) detach.abort()
      }
      const cancelTimer = clock.after(waitMs, () => {
        isDue = true
        detachIfDue()
      })
      onEnded.add(detachIfDue)
      try {
        const outcome = await put(request, signal, { detachSignal: detach.signal })
        const isWithdrawn = signal?.aborted || options.signal?.aborted
        return outcome.kind === 'aborted' && !isWithdrawn ? null : outcome
      } finally {
        cancelTimer()
        onEnded.delete(detachIfDue)
      }
    },

    async questionOutcome(toolCallId) {
      const entry = asked.get(toolCallId)
      // Only the caller of `ask` gets the error.
      return entry?.isQuestion ? entry.outcome.catch(() => undefined) : undefined
    },

    async settled() {
      await Promise.allSettled(waiting)
    },
  }
}
