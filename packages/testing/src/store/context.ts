import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import type { AnswerFile, HostChannel, QuestionState, ReadOptions, RunnerChannel } from '@sandagent/core'
import {
  createHostChannel,
  createRunnerChannel,
  createWatchedChannel,
  type HostQuestions,
  type RunnerQuestions,
  type WatchedQuestions,
} from '@sandagent/core/store'
import type { CaseOf } from '../contract-case.ts'
import { eventually, soon } from '../expect.ts'

/** Both halves of one store: what a runner needs of it, and what a host needs. Each call may give another object. */
export interface StoreHalves {
  runner(): RunnerQuestions | WatchedQuestions
  host(): HostQuestions
}

/** What a maker can do with its stores. Cases that need a missing ability are left out. */
export interface StoreAbilities<S extends StoreHalves = StoreHalves> {
  /** Removes the store. It is called after each case, also after a failed one. */
  remove?: ((halves: S) => void | Promise<void>) | undefined
  /**
   * Where another process gets a host's half: a module by its path or URL, and the arguments for its function
   * `hostStore(...args)`, which returns `HostQuestions` or a promise of them.
   */
  hostProcess?: ((halves: S) => { module: string; args: readonly string[] }) | undefined
  /** Puts a text where the answer to a question is stored, as another program would. */
  putAnswer?: ((halves: S, toolCallId: string, text: string) => void | Promise<void>) | undefined
  /** Puts a text where the record of a question is stored, as another program would. */
  putRecord?: ((halves: S, toolCallId: string, text: string) => void | Promise<void>) | undefined
  /** Makes the answer to a question unreadable, as a failing disk would. The returned function makes it readable again. */
  hideAnswer?:
    | ((halves: S, toolCallId: string) => (() => void | Promise<void>) | Promise<() => void | Promise<void>>)
    | undefined
  /** Of a store that takes files: another namespace of the same carrier, such as another workdir. */
  beside?: ((halves: S) => StoreHalves | Promise<StoreHalves>) | undefined
  /** Of a store that takes files: removes the settled questions, however new they are. */
  sweep?: ((halves: S) => void | Promise<void>) | undefined
}

/** What a case of the contract works with. */
export interface StoreContext {
  /** The channel over a runner's half. Another one each time, as in another process. */
  runner: () => RunnerChannel
  /** The channel over a host's half, in the same way. */
  host: () => HostChannel
  halves: StoreHalves
  hostProcess: () => { module: string; args: readonly string[] }
  putAnswer: (toolCallId: string, text: string) => Promise<void>
  putRecord: (toolCallId: string, text: string) => Promise<void>
  hideAnswer: (toolCallId: string) => Promise<() => void | Promise<void>>
  beside: () => Promise<StoreHalves>
  sweep: () => Promise<void>
}

export type StoreCase = CaseOf<keyof StoreAbilities, StoreContext>

/** Makes the context of one case, and releases everything afterwards. */
export async function withStore<S extends StoreHalves>(
  make: () => S | Promise<S>,
  abilities: StoreAbilities<S>,
  run: (context: StoreContext) => Promise<void>,
): Promise<void> {
  const halves = await make()
  const missing = (ability: string): never => assert.fail(`The maker does not have ${ability}`)
  try {
    await run({
      runner: () => channelOver(halves.runner()),
      host: () => createHostChannel(halves.host()),
      halves,
      hostProcess: () => abilities.hostProcess?.(halves) ?? missing('hostProcess'),
      putAnswer: async (toolCallId, text) => abilities.putAnswer?.(halves, toolCallId, text),
      putRecord: async (toolCallId, text) => abilities.putRecord?.(halves, toolCallId, text),
      hideAnswer: async (toolCallId) => abilities.hideAnswer?.(halves, toolCallId) ?? missing('hideAnswer'),
      beside: async () => abilities.beside?.(halves) ?? missing('beside'),
      sweep: async () => abilities.sweep?.(halves),
    })
  } finally {
    await abilities.remove?.(halves)
  }
}

export function firstOf(
  channel: Pick<RunnerChannel, 'subscribe'>,
  toolCallId: string,
  options?: ReadOptions,
): Promise<AnswerFile | null> {
  const answers = channel.subscribe(toolCallId, options)
  const wait = soon(answers.next(), `the wait for an answer to ${toolCallId}`)
  const first = wait.finally(() => answers.close())
  first.catch(ignoreLateFailure)
  return first
}

/** A case that has failed awaits nothing more. What fails later is no unhandled rejection then. */
const ignoreLateFailure = (): void => {}

/** Follows changes while `use` runs; `changed` waits for a state among those that came so far or will. */
export async function withChanges(
  channel: Pick<HostChannel, 'subscribe'>,
  use: (
    changed: (isSo: (state: QuestionState) => boolean) => Promise<void>,
    all: QuestionState[],
  ) => Promise<void>,
  toolCallId?: string,
): Promise<void> {
  const stop = new AbortController()
  const all: QuestionState[] = []
  const follow = async (): Promise<void> => {
    for await (const state of channel.subscribe(stop.signal, toolCallId)) all.push(state)
  }
  const following = follow()
  following.catch(ignoreLateFailure)
  try {
    await use((isSo) => eventually(() => assert.ok(all.some(isSo), 'a change was not reported')), all)
  } finally {
    stop.abort()
    await soon(following, 'an aborted subscription')
  }
}

/** Expects that nothing waits for a signal any more. */
export const released = (signal: AbortSignal): void =>
  assert.equal(getEventListeners(signal, 'abort').length, 0, 'a listener was left at the signal')

const channelOver = (store: RunnerQuestions | WatchedQuestions): RunnerChannel =>
  'watch' in store ? createWatchedChannel(store) : createRunnerChannel(store)
