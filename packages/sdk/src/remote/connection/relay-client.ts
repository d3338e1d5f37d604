import { AskError, type Clock, holdProcess, parseWith, sleep } from '@sandagent/core/internal'
import pLimit from 'p-limit'
import { CALLS, type CallName, type Calls } from '../../relay-protocol/calls.ts'
import type { FromRelay, ToRelay } from '../../relay-protocol/frames.ts'
import { fromWireError } from '../../relay-protocol/wire-errors.ts'
import type { OpenRelay } from './open-relay.ts'
import { beginAgain, type CallOptions, type PendingRequest, takeEvent } from './pending-request.ts'

/** How many requests are under way at once, besides those that wait for something to happen. */
const REQUESTS_AT_ONCE = 64

/** How long a request waits for a lost connection to come back, in milliseconds. */
const PATIENCE_MS = 30_000

/** The pauses between two attempts to connect, in milliseconds. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000

/** A request, and a way to send inputs after it. */
interface Request<N extends CallName> {
  value: Promise<Calls[N]['value']>
  send(input: unknown): void
}

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
  open: (onFrame: (frame: FromRelay, size: number) => void) => Promise<OpenRelay>
  clock: Clock
}): RelayClient {
  const pending = new Map<number, PendingRequest>()
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
    request.isSent = true
    try {
      send({ id, call, args, ...(isSent && { again: true as const }) })
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
    if (!request) return // It was cancelled.
    silentSince = null
    failures = 0
    try {
      if ('event' in frame) {
        const from = relay
        const { id } = request
        const acknowledge = () =>
          relay === from && pending.has(id) ? (taken: number) => send({ id, taken }) : null
        takeEvent(request, frame.event, { size, acknowledge })
      } else if ('error' in frame) request.reject(fromWireError(frame.error))
      else
        request.resolve(
          parseWith<unknown>(CALLS[request.call].value, frame.value, 'INVALID_REQUEST', 'A value'),
        )
    } catch (cause) {
      // One wrong reply is the end of its request alone.
      request.reject(
        new AskError(
          'UNREACHABLE',
          'The relay answered something that it must not. Look whether it has the version of this host',
          { cause },
        ),
      )
      send({ id: frame.id, cancel: true })
    }
  }

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
        relay = await open(onFrame)
        if (closed.signal.aborted || isPaused) relay.end('This sandbox was closed by close(). Make a new one')
        hasWorked = true
        for (const request of [...pending.values()]) sendRequest(request)
        const reason = await relay.lost
        relay = null
        noteFailure(lostConnection(reason))
      } catch (error) {
        noteFailure(error)
      }
      // After a connection that worked, the next attempt comes at once.
      const pauseMs = failures > 1 || !hasWorked ? FIRST_PAUSE_MS * 2 ** (failures - 1) : 0
      if (isNeeded() && pauseMs > 0) await sleep(clock, Math.min(pauseMs, LONGEST_PAUSE_MS), closed.signal)
    }
    isConnecting = false
  }

  const request: RelayClient['request'] = (name, args, options = {}) => {
    const { signal, onEvent = () => {}, onAgain = () => {}, isWaiting = false, isOnce = false } = options
    const id = ++lastId
    const release = isWaiting ? () => {} : holdProcess()
    const value = new Promise<unknown>((resolve, refuse) => {
      const cancel = (): void => {
        if (pending.has(id)) send({ id, cancel: true })
        given.reject(signal?.reason)
      }
      const done = (): boolean => {
        release()
        signal?.removeEventListener('abort', cancel)
        return pending.delete(id)
      }
      const given: PendingRequest = {
        id,
        call: name,
        args,
        isSent: false,
        isWaiting,
        isOnce,
        ahead: 0,
        taken: 0,
        onEvent: onEvent as PendingRequest['onEvent'],
        onAgain,
        resolve: (value) => done() && resolve(value),
        reject: (error) => done() && refuse(error),
      }
      pending.set(id, given)
      if (closed.signal.aborted)
        return given.reject(new AskError('UNREACHABLE', 'This sandbox was closed by close(). Make a new one'))
      if (signal?.aborted) return given.reject(signal.reason)
      signal?.addEventListener('abort', cancel)
      if (relay) sendRequest(given)
      else void keepConnected()
    })
    return {
      value: value as Promise<never>,
      send: (input) => {
        if (pending.has(id)) send({ id, input })
      },
    }
  }

  return {
    request,
    call: (name, args, options = {}) =>
      options.isWaiting
        ? request(name, args, options).value
        : limit(() => request(name, args, options).value),
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
      reject(new AskError('UNREACHABLE', 'This sandbox was closed by close(). Make a new one'))
      relay?.end('This sandbox was closed')
    },
  }
}

const lostConnection = (reason: string): AskError =>
  new AskError('UNREACHABLE', `The connection to the sandbox was lost. ${reason}`)
