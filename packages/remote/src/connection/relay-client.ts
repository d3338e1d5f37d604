// Why it is so: docs/decisions/0065-a-request-can-be-repeated.md

import { AskError, backOffMs, type Clock, holdProcess, parseWith, sleep } from '@sandagent/core/internal'
import pLimit from 'p-limit'
import { CALLS, type CallName, type Calls } from '../protocol/calls.ts'
import type { FromRelay, ToRelay } from '../protocol/frames.ts'
import { MAX_IDLE_LINE_BYTES, MAX_LINE_BYTES } from '../protocol/limits.ts'
import { fromWireError } from '../protocol/wire-errors.ts'
import { createLateFrames } from './late-frames.ts'
import type { OpenOptions, OpenRelay } from './open-relay.ts'
import {
  beginAgain,
  type CallOptions,
  type PendingRequest,
  type Request,
  takeEvent,
  unanswered,
  wasClosed,
} from './pending-request.ts'

/** How many requests are under way at once, besides those that wait for something to happen. */
const REQUESTS_AT_ONCE = 64

/** How long a request waits for a lost connection to come back, in milliseconds. */
const PATIENCE_MS = 30_000

/** The pauses between two attempts to connect, in milliseconds. */
const RECONNECT = [100, 10_000] as const

/** How long a request may take that does not wait for something to happen, in milliseconds. */
const REQUEST_MS = 120_000

/** A connection that lasted so long was a good one, in milliseconds. */
const STEADY_MS = 60_000

export interface RelayClient {
  call<N extends CallName>(
    name: N,
    args: Calls[N]['args'],
    options?: CallOptions<N>,
  ): Promise<Calls[N]['value']>
  /** As `call`, and not counted among the requests under way. */
  request<N extends CallName>(name: N, args: Calls[N]['args'], options?: CallOptions<N>): Request<N>
  /** Ends the connection. Requests wait until `resume`. */
  pause(): void
  resume(): void
  close(): void
}

/**
 * Sends requests to a relay, over one connection. After a loss it connects again and sends all requests again that have no
 * reply yet: each can be repeated without harm.
 */
export function createRelayClient({
  open,
  clock,
}: {
  open: (taking: Pick<OpenOptions, 'onFrame' | 'mostBytes'>) => Promise<OpenRelay>
  clock: Clock
}): RelayClient {
  const pending = new Map<number, PendingRequest>()
  const late = createLateFrames(clock)
  const limit = pLimit(REQUESTS_AT_ONCE)
  const closed = new AbortController()
  let relay: OpenRelay | null = null
  let isConnecting = false
  let isPaused = false
  let hasWorked = false
  /** Since when there was no reply, in milliseconds since 1970. */
  let silentSince: number | null = null
  let failures = 0
  let lastId = 0

  const reject = (error: unknown, which: (request: PendingRequest) => boolean = () => true): void => {
    for (const request of [...pending.values()]) if (which(request)) request.reject(error)
  }

  const send = (frame: ToRelay): void => relay?.send(frame)

  const sendRequest = (request: PendingRequest): void => {
    const { id, call, args, isSent } = request
    if (isSent) beginAgain(request)
    try {
      send({ id, call, args, again: isSent || undefined })
      request.isSent = true
    } catch (error) {
      request.reject(error)
    }
  }

  const onFrame = (frame: FromRelay, size: number): void => {
    if ('pong' in frame) {
      silentSince = null
      return
    }
    const request = pending.get(frame.id)
    if (!request) {
      if (late.take(frame.id, size)) return
      throw new AskError('INVALID_REQUEST', 'It replies to a request that is not under way')
    }
    silentSince = null
    if (!('event' in frame)) failures = 0
    try {
      if ('event' in frame) {
        const from = relay
        const acknowledge = () =>
          relay === from && pending.has(frame.id) ? (taken: number) => send({ id: frame.id, taken }) : null
        takeEvent(request, frame.event, { size, acknowledge })
      } else if ('error' in frame) {
        request.isReplied = true
        request.reject(fromWireError(frame.error))
      } else {
        const value = parseWith<unknown>(CALLS[request.call].value, frame.value, 'INVALID_REQUEST', 'A value')
        request.isReplied = true
        request.resolve(value)
      }
    } catch (cause) {
      // One wrong reply is the end of its request alone.
      request.reject(
        new AskError(
          'UNREACHABLE',
          'The relay answered something that it must not. Look whether it has the version of this host',
          { cause },
        ),
      )
    }
  }

  const mostBytes = (): number => (pending.size > 0 || !late.isEmpty() ? MAX_LINE_BYTES : MAX_IDLE_LINE_BYTES)

  const noteFailure = (error: unknown): void => {
    failures++
    silentSince ??= clock.now()
    const isTooLate = !hasWorked || clock.now() - silentSince >= PATIENCE_MS
    reject(error, ({ isWaiting, isOnce }) => isOnce || (isTooLate && !isWaiting))
  }

  const isNeeded = (): boolean => pending.size > 0 && !isPaused && !closed.signal.aborted

  /** Connects as long as there are requests. */
  const keepConnected = async (): Promise<void> => {
    if (isConnecting) return
    isConnecting = true
    silentSince = null
    failures = 0
    while (isNeeded()) {
      try {
        late.clear()
        relay = await open({ onFrame, mostBytes })
        const openedAt = clock.now()
        if (closed.signal.aborted || isPaused) relay.end('This sandbox was closed or paused')
        hasWorked = true
        for (const request of [...pending.values()]) sendRequest(request)
        const reason = await relay.lost
        relay = null
        if (clock.now() - openedAt > STEADY_MS) failures = 0
        noteFailure(new AskError('UNREACHABLE', `The connection to the sandbox was lost. ${reason}`))
      } catch (error) {
        noteFailure(error)
      }
      // After a connection that worked, the next attempt comes at once.
      const pauseMs = failures > 1 || !hasWorked ? backOffMs(failures, ...RECONNECT) : 0
      if (isNeeded() && pauseMs > 0) await sleep(clock, pauseMs, closed.signal)
    }
    isConnecting = false
  }

  const request: RelayClient['request'] = (name, args, options = {}) => {
    const { signal, onEvent = () => {}, onAgain = () => {}, isWaiting = false, isOnce = false } = options
    const { timeoutMs = isWaiting ? undefined : REQUEST_MS } = options
    const id = ++lastId
    const release = isWaiting ? () => {} : holdProcess()
    let hurry = (_ms?: number): void => {}
    const value = new Promise<unknown>((resolve, refuse) => {
      const cancel = (): void => given.reject(signal?.reason)
      const done = (): boolean => {
        release()
        given.cancelTimer()
        signal?.removeEventListener('abort', cancel)
        if (!pending.delete(id)) return false
        if (relay && given.isSent) {
          late.expect(id, given.isReplied)
          if (!given.isReplied) send({ id, cancel: true })
        }
        return true
      }
      const given: PendingRequest = {
        id,
        call: name,
        args,
        isSent: false,
        isReplied: false,
        isWaiting,
        isOnce,
        ahead: 0,
        taken: 0,
        cancelTimer() {},
        onEvent: onEvent as PendingRequest['onEvent'],
        onAgain,
        resolve: (value) => done() && resolve(value),
        reject: (error) => done() && refuse(error),
      }
      pending.set(id, given)
      if (closed.signal.aborted) return given.reject(wasClosed())
      if (signal?.aborted) return given.reject(signal.reason)
      signal?.addEventListener('abort', cancel)
      hurry = (ms = REQUEST_MS) => {
        given.cancelTimer()
        if (pending.has(id)) given.cancelTimer = clock.after(ms, () => given.reject(unanswered()))
      }
      if (timeoutMs !== undefined) hurry(timeoutMs)
      if (relay) sendRequest(given)
      else void keepConnected()
    })
    return {
      value: value as Promise<never>,
      send: (input) => {
        if (pending.has(id)) send({ id, input })
      },
      hurry: () => hurry(),
    }
  }

  return {
    request,
    async call(name, args, options = {}) {
      if (options.isWaiting) return request(name, args, options).value
      const calledAt = clock.now()
      return limit(() => {
        const timeoutMs = REQUEST_MS - (clock.now() - calledAt)
        if (timeoutMs <= 0) throw unanswered()
        return request(name, args, { ...options, timeoutMs }).value
      })
    },
    pause() {
      isPaused = true
      relay?.end('The connection was paused')
    },
    resume() {
      isPaused = false
      silentSince = null
      void keepConnected()
    },
    close() {
      closed.abort()
      reject(wasClosed())
      relay?.end('This sandbox was closed')
    },
  }
}
