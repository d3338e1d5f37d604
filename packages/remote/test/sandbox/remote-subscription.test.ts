import { setImmediate as turn } from 'node:timers/promises'
import { AskError } from '@sandagent/core/internal'
import type { StoredQuestion } from '@sandagent/core/store'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { RelayClient } from '../../src/connection/relay-client.ts'
import type { WireState } from '../../src/protocol/channel-calls.ts'
import { subscribeRemotely } from '../../src/sandbox/remote-subscription.ts'

type Event = { state: WireState } | { warning: { code: string; message: string } }
type Given = { signal: AbortSignal; isWaiting: boolean; onEvent(event: Event): unknown }

/** A subscription to a relay that the test plays. */
function subscribed(toolCallId?: string) {
  let relay = {} as Given
  let end = (): void => {}
  let fail = (_: Error): void => {}
  const call = vi.fn((_name: string, _args: object, given: Given) => {
    relay = given
    return new Promise<null>((resolve, reject) => {
      end = () => resolve(null)
      fail = reject
      given.signal.addEventListener('abort', () => reject(given.signal.reason))
    })
  })
  const warn = vi.fn()
  const stored = vi.fn(
    ({ toolCallId: id }: WireState): StoredQuestion => ({ toolCallId: id, record: null, answer: null }),
  )
  const followed = new Set<ReadonlyMap<string, WireState>>()
  const stop = new AbortController()
  const keys = async () => null
  const options = { keys, toolCallId, warn, stored, followed }
  const states = subscribeRemotely({ call } as unknown as RelayClient, options, stop.signal)
  const seen: string[] = []
  const following = (async () => {
    for await (const changed of states) seen.push(...changed.map(({ toolCallId: id }) => id))
  })()
  following.catch(() => {})
  onTestFinished(async () => {
    stop.abort()
    await following.catch(() => {})
  })
  return {
    ...{ call, warn, stored, followed, stop, seen, following },
    relay: () => relay,
    end: () => end(),
    fail: (error: Error) => fail(error),
    say: (state: WireState) => relay.onEvent({ state }),
  }
}

const started = ({ call }: ReturnType<typeof subscribed>) =>
  vi.waitFor(() => expect(call).toHaveBeenCalledOnce())

it('a subscription waits for changes as long as it takes, and ends with its signal', async () => {
  const subscription = subscribed()
  await started(subscription)
  const { relay, stop, following, followed } = subscription
  expect([relay().isWaiting, relay().signal.aborted]).toEqual([true, false])
  // One to all questions knows no single one.
  expect(followed.size).toBe(0)
  stop.abort()
  await following
  expect(relay().signal.aborted).toBe(true)
})

it('each state is passed on, and the relay waits until it was taken', async () => {
  const subscription = subscribed()
  await started(subscription)
  const { say, seen } = subscription
  await say({ toolCallId: 'a', record: '1' })
  await say({ toolCallId: 'b', record: '1' })
  await say({ toolCallId: 'a', record: '2' })
  await vi.waitFor(() => expect(seen).toEqual(['a', 'b', 'a']))
})

it('an event of the relay stays until the reader has taken the states before it', async () => {
  const subscription = subscribed()
  await started(subscription)
  const taken = vi.fn()
  // The reader is busy with the first one for a moment.
  subscription.stored.mockImplementationOnce(({ toolCallId }) => {
    expect(taken).not.toHaveBeenCalled()
    return { toolCallId, record: null, answer: null }
  })
  const first = subscription.say({ toolCallId: 'a' })
  const second = Promise.resolve(subscription.say({ toolCallId: 'b' })).then(taken)
  await first
  await second
  await vi.waitFor(() => expect(subscription.seen).toEqual(['a', 'b']))
})

it('the question that is followed is known by its latest state, until the subscription ends', async () => {
  const subscription = subscribed('q')
  await started(subscription)
  const { say, followed, stop, following, stored } = subscription
  expect(followed.size).toBe(1)
  const [latest] = followed
  await say({ toolCallId: 'q', record: '1' })
  await say({ toolCallId: 'other' })
  await say({ toolCallId: 'q', record: '2' })
  expect([...(latest ?? [])]).toEqual([['q', { toolCallId: 'q', record: '2' }]])
  await vi.waitFor(() => expect(stored).toHaveBeenLastCalledWith({ toolCallId: 'q', record: '2' }))
  stop.abort()
  await following
  expect(followed.size).toBe(0)
})

it('a state that cannot be read is a warning, and another failure ends the subscription', async () => {
  const subscription = subscribed()
  await started(subscription)
  const { say, stored, warn, seen, following, relay } = subscription
  void relay().onEvent({ warning: { code: 'INVALID_FILE', message: 'of the relay' } })
  stored.mockImplementationOnce(() => {
    throw new AskError('UNSAFE_PATH', 'A link')
  })
  await say({ toolCallId: 'a' })
  await say({ toolCallId: 'b' })
  await vi.waitFor(() => expect(seen).toEqual(['b']))
  expect(warn.mock.calls).toEqual([
    [{ code: 'INVALID_FILE', message: 'of the relay' }],
    [{ code: 'UNSAFE_PATH', message: 'A link' }],
  ])
  const failure = new Error('a mistake')
  stored.mockImplementationOnce(() => {
    throw failure
  })
  void say({ toolCallId: 'c' })
  await expect(following).rejects.toBe(failure)
})

it('a subscription that fails passes on what came before', async () => {
  const subscription = subscribed()
  await started(subscription)
  const { say, fail, seen, following } = subscription
  const failure = new AskError('UNREACHABLE', 'closed')
  void say({ toolCallId: 'a' })
  void say({ toolCallId: 'b' })
  fail(failure)
  await expect(following).rejects.toBe(failure)
  expect(seen).toEqual(['a', 'b'])
})

it('a subscription that waits fails when its relay ends it', async () => {
  const subscription = subscribed()
  await started(subscription)
  await turn()
  subscription.end()
  await expect(subscription.following).rejects.toMatchObject({ code: 'UNREACHABLE' })
})
