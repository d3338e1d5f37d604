import {
  type ChannelWarning,
  type Clock,
  DEFAULT_TIMEOUT_MS,
  DEFAULT_TIMEOUT_POLICY,
  type Outcome,
  type RunnerChannel,
  systemClock,
  type TimeoutMs,
} from '@sandagent/core/internal'
import type { AskOptions } from '../../ask/ask-options.ts'
import type { AskRequest } from '../../ask/ask-request.ts'
import { askUser } from '../../ask/ask-user.ts'
import type { TimeoutPolicy } from '../../ask/read-answer.ts'

export interface AskingOptions {
  channel: RunnerChannel
  /** How long nobody may touch a question, in milliseconds. Default `never`. */
  timeoutMs?: TimeoutMs | undefined
  /** What the model gets of a question whose time runs out; a permission is then refused. Default `partial`. */
  timeoutPolicy?: TimeoutPolicy | undefined
  clock?: Clock | undefined
  /** Withdraws whatever still waits. */
  signal?: AbortSignal | undefined
  /** Called once a question can be answered; what it returns is waited for. */
  onAsked?: ((request: AskRequest) => void | Promise<void>) | undefined
  onWarning?: ((warning: ChannelWarning) => void) | undefined
}

/** What one session of Claude asks its user. */
export interface Asking {
  /** Asks. A request that the binary delivers again, also while it waits, gets the same outcome. */
  ask(request: AskRequest, signal?: AbortSignal): Promise<Outcome>
  /**
   * Asks for `waitMs` milliseconds, with `alone` also as long as anything else waits; `null` means that the question is
   * still open, for a later `ask` to adopt.
   */
  askFor(
    waitMs: number,
    request: AskRequest,
    options?: { alone?: boolean; signal?: AbortSignal },
  ): Promise<Outcome | null>
  /** How a question ends, unless none was asked under this id, or it was one for a permission. */
  questionOutcome(toolCallId: string): Promise<Outcome | undefined>
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>
}

export function createAsking(options: AskingOptions): Asking {
  const {
    channel,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    timeoutPolicy = DEFAULT_TIMEOUT_POLICY,
    clock = systemClock,
  } = options
  const asked = new Map<string, { request: string; isQuestion: boolean; outcome: Promise<Outcome> }>()
  const waiting = new Set<Promise<unknown>>()
  /** Called whenever one that waited has ended. */
  const onEnded = new Set<() => void>()

  const put = (request: AskRequest, signal: AbortSignal | undefined, more?: AskOptions): Promise<Outcome> => {
    const { onAsked, onWarning } = options
    const outcome = askUser(channel, request, {
      timeoutMs,
      timeoutPolicy: request.kind === 'approval' ? 'decline' : timeoutPolicy,
      signal: AbortSignal.any([options.signal, signal].filter((each) => each !== undefined)),
      clock,
      ...(onAsked && { onAsked: () => onAsked(request) }),
      ...(onWarning && { onWarning }),
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
      // Another request under the same id is a conflict, which tells nothing of the first one.
      if (!before) asked.set(toolCallId, { request: text, isQuestion: request.kind !== 'approval', outcome })
      return outcome
    },

    async askFor(waitMs, request, { alone = false, signal } = {}) {
      const leave = new AbortController()
      let isDue = false
      const leaveIfDue = (): void => {
        if (isDue && (!alone || waiting.size === 1)) leave.abort()
      }
      const cancel = clock.after(waitMs, () => {
        isDue = true
        leaveIfDue()
      })
      onEnded.add(leaveIfDue)
      try {
        const outcome = await put(request, signal, { detachSignal: leave.signal })
        const isWithdrawn = signal?.aborted || options.signal?.aborted
        return outcome.kind === 'aborted' && !isWithdrawn ? null : outcome
      } finally {
        cancel()
        onEnded.delete(leaveIfDue)
      }
    },

    async questionOutcome(toolCallId) {
      const entry = asked.get(toolCallId)
      // What cannot be asked is told to who asks; to others no question was asked.
      return entry?.isQuestion ? entry.outcome.catch(() => undefined) : undefined
    },

    async settled() {
      await Promise.allSettled(waiting)
    },
  }
}
