import { AskError, createWakeSignal, stoppable } from '@sandagent/core/internal'
import type { StoredQuestion } from '@sandagent/core/store'
import type { RelayClient } from '../connection/relay-client.ts'
import type { HostKeys, WireState, WireWarning } from '../protocol/channel-calls.ts'

interface SubscriptionOptions {
  keys(): Promise<HostKeys>
  toolCallId: string | undefined
  warn(warning: WireWarning): void
  /** @throws AskError for a state that cannot be read */
  stored(state: WireState): StoredQuestion
  /** The latest states of all subscriptions to one question. */
  followed: Set<ReadonlyMap<string, WireState>>
}

/**
 * Yields the state of every question, or of the one given, then each change. After a lost connection the relay gives all
 * states again.
 */
export function subscribeRemotely(
  client: RelayClient,
  { keys, toolCallId, warn, stored, followed }: SubscriptionOptions,
  signal: AbortSignal,
): AsyncIterable<readonly StoredQuestion[]> {
  return stoppable(signal, async function* (stopped) {
    const latest = new Map<string, WireState>()
    const queue: { state: WireState; taken: () => void }[] = []
    /** One state that cannot be read must not end the others. */
    const readable = (state: WireState): StoredQuestion | null => {
      try {
        return stored(state)
      } catch (error) {
        if (!(error instanceof AskError)) throw error
        warn({ code: error.code, message: error.message })
        return null
      }
    }
    let failure: unknown
    const wake = createWakeSignal(stopped)
    const fail = (error: unknown): void => {
      failure = error
      wake.ring()
    }
    const onEvent = (event: { state: WireState } | { warning: WireWarning }): void | Promise<void> => {
      if ('warning' in event) return warn(event.warning)
      const { state } = event
      if (toolCallId === state.toolCallId) latest.set(state.toolCallId, state)
      return new Promise((taken) => {
        queue.push({ state, taken })
        wake.ring()
      })
    }
    if (toolCallId !== undefined) followed.add(latest)
    try {
      const args = { keys: await keys(), toolCallId }
      client
        .call('subscribe', args, { signal: stopped, isWaiting: true, onEvent })
        .then(() => fail(new AskError('UNREACHABLE', 'The relay ended a subscription')), fail)
      while (!stopped.aborted) {
        const next = queue.shift()
        if (next) {
          next.taken()
          const question = readable(next.state)
          if (question) yield [question]
        } else if (failure !== undefined) throw failure
        else await wake.sleep()
      }
    } finally {
      followed.delete(latest)
    }
  })
}
