import { AskError, createWakeSignal, type QuestionState, sleep, stoppable } from '@sandagent/core/internal'
import { channelOf, isWaiting } from '@sandagent/sdk/internal'
import type { InboxQuestion } from './inbox-question.ts'
import {
  type InboxPlace,
  type InboxSandbox,
  type InboxSandboxes,
  inboxPlaceOf,
  patiently,
  sandboxesOf,
  type UnreachableSandbox,
  unreachableOf,
} from './inbox-sandbox.ts'
import type { LookAround } from './list-inbox.ts'

/**
 * A change of an inbox. `question`: a question waits, has changed, or no longer waits. `unreachable`: its sandbox cannot be
 * read, and what is known of its questions may be out of date. `reachable`: it can be read again. `removed`: the inbox no
 * longer has this sandbox.
 */
export type InboxChange =
  | ({ kind: 'question' } & InboxQuestion)
  | ({ kind: 'unreachable' } & UnreachableSandbox)
  | ({ kind: 'reachable' | 'removed' } & InboxPlace)

/** How often a function is asked for its sandboxes, in milliseconds. */
const LOOK_MS = 1_000

/** How often each sandbox is checked, in milliseconds. */
const CHECK_MS = 5_000

/** A question that nobody asks: reading it tells whether a sandbox can be reached. */
const NO_QUESTION = 'sandagent-inbox-check'

/**
 * Yields every question that waits, then each change. A slow reader gets only the latest change of each question, and of each
 * sandbox.
 */
export const watchSandboxes = (
  given: InboxSandboxes,
  around: LookAround,
  signal: AbortSignal,
): AsyncIterable<InboxChange> =>
  stoppable(signal, async function* (stopped) {
    const changes = new Map<string, InboxChange>()
    const wakeSignal = createWakeSignal(stopped)
    const put = (change: InboxChange): void => {
      // What comes later is about the sandbox that has taken its place.
      if (change.kind === 'removed')
        for (const [key, { sandboxId }] of changes) if (sandboxId === change.sandboxId) changes.delete(key)
      changes.set(keyOf(change), change)
      wakeSignal.ring()
    }
    let failure: { error: unknown } | null = null
    followSandboxes(given, put, around, stopped).catch((error: unknown) => {
      failure = { error }
      wakeSignal.ring()
    })
    while (!stopped.aborted) {
      for (const [key, change] of changes) {
        changes.delete(key)
        yield change
      }
      if (failure) throw (failure as { error: unknown }).error
      if (changes.size === 0) await wakeSignal.sleep()
    }
  })

function keyOf(change: InboxChange): string {
  const { kind, sandboxId } = change
  if (kind === 'question') return JSON.stringify([sandboxId, change.question.toolCallId])
  return JSON.stringify([sandboxId, kind === 'removed'])
}

type Put = (change: InboxChange) => void

/** Follows the sandboxes that the inbox has at each moment. */
async function followSandboxes(
  given: InboxSandboxes,
  put: Put,
  around: LookAround,
  signal: AbortSignal,
): Promise<void> {
  const followed = new Map<string, { sandbox: InboxSandbox; stop(): void }>()
  let isFirst = true
  while (!signal.aborted) {
    // Later failures leave what is known.
    const sandboxes = await sandboxesOf(given).catch((error) => {
      if (isFirst) throw error
      return null
    })
    isFirst = false
    for (const [id, { sandbox, stop }] of sandboxes === null ? [] : followed) {
      const same = sandboxes?.find((other) => other.id === id && other.sandbox === sandbox.sandbox)
      if (same) continue
      stop()
      followed.delete(id)
      put({ kind: 'removed', ...inboxPlaceOf(sandbox) })
    }
    for (const sandbox of sandboxes ?? []) {
      if (followed.has(sandbox.id)) continue
      followed.set(sandbox.id, { sandbox, stop: follow(sandbox, put, around, signal) })
    }
    if (typeof given !== 'function') return
    await sleep(around.clock, LOOK_MS, signal)
  }
}

/** Follows one sandbox, and checks whether it can be reached, until the returned function is called. */
function follow(sandbox: InboxSandbox, put: Put, around: LookAround, signal: AbortSignal): () => void {
  const { host, show, grants, clock, wasMissed = () => false, wasListed = async () => false } = around
  const leaving = new AbortController()
  // Many sandboxes share the signal: listeners of their own would be too many.
  const isLeft = AbortSignal.any([signal, leaving.signal])
  const channel = channelOf(sandbox.sandbox, host)
  const waiting = new Set<string>()
  let isReachable = true

  const note = (error?: unknown): void => {
    if (isLeft.aborted || (error === undefined && isReachable && !wasMissed(sandbox.id))) return
    isReachable = error === undefined
    put(
      isReachable
        ? { kind: 'reachable', ...inboxPlaceOf(sandbox) }
        : { kind: 'unreachable', ...unreachableOf(sandbox, error) },
    )
  }
  const take = async (state: QuestionState): Promise<void> => {
    // Whether an answer still counts is not known before the receipt.
    if (state.record?.state === 'closing') return
    const waits = isWaiting(state)
    const hasWaited = waiting.delete(state.toolCallId)
    const { record } = state
    // What a grant covers is for nobody to decide. Its answer is the next state.
    if (grants && record && waits && !hasWaited)
      if (await grants.answers({ sandbox: sandbox.sandbox, record })) return
    if (waits) waiting.add(state.toolCallId)
    const { toolCallId } = state
    if (!waits && !hasWaited && !(await wasListed({ sandboxId: sandbox.id, toolCallId }))) return
    const question = await show(sandbox, state)
    if (question && !isLeft.aborted) put({ kind: 'question', ...question })
  }
  const subscribe = async (): Promise<void> => {
    while (!isLeft.aborted) {
      try {
        for await (const state of channel.subscribe(isLeft)) await take(state)
      } catch (error) {
        note(error)
      }
      await sleep(clock, CHECK_MS, isLeft)
    }
  }
  const check = async (): Promise<void> => {
    while (!isLeft.aborted) {
      await patiently(() => channel.read(NO_QUESTION), around).then(
        () => note(),
        (error) => note(ofAll(error)),
      )
      await sleep(clock, CHECK_MS, isLeft)
    }
  }
  void subscribe()
  void check()
  return () => leaving.abort()
}

/** What the check learns of its question is true for all questions of the sandbox. */
const ofAll = (error: unknown): unknown =>
  error instanceof AskError
    ? new AskError(error.code, error.message.replace(/^This question/, 'Its questions'), { cause: error })
    : error
