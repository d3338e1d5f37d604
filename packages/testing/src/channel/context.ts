import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import type { AnswerFile, HostChannel, QuestionState, ReadOptions, RunnerChannel } from '@sandagent/core'
import type { CaseOf } from '../contract-case.ts'
import { eventually, soon } from '../expect.ts'

/** Both ends of one channel. Each call makes another object, as another process would. */
export interface ChannelEnds {
  runner(): RunnerChannel
  host(): HostChannel
}

/** What a maker can do with its channels. Cases that need a missing ability are left out. */
export interface ChannelAbilities<E extends ChannelEnds = ChannelEnds> {
  /** Removes the channel. It is called after each case, also after a failed one. */
  remove?: ((ends: E) => void | Promise<void>) | undefined
  /**
   * Where another process gets a host's end: a module by its path or URL, and the arguments for its function
   * `createHost(...args)`, which returns a `HostChannel` or a promise of one.
   */
  hostProcess?: ((ends: E) => { module: string; args: readonly string[] }) | undefined
  /** Puts a text where the answer to a question is stored, as another program would. */
  putAnswer?: ((ends: E, toolCallId: string, text: string) => void | Promise<void>) | undefined
  /** Puts a text where the record of a question is stored, as another program would. */
  putRecord?: ((ends: E, toolCallId: string, text: string) => void | Promise<void>) | undefined
  /** Makes the answer to a question unreadable, as a failing disk would. The returned function makes it readable again. */
  hideAnswer?:
    | ((ends: E, toolCallId: string) => (() => void | Promise<void>) | Promise<() => void | Promise<void>>)
    | undefined
}

/** What a case of the channel contract works with. */
export interface ChannelContext {
  runner: () => RunnerChannel
  host: () => HostChannel
  hostProcess: () => { module: string; args: readonly string[] }
  putAnswer: (toolCallId: string, text: string) => Promise<void>
  putRecord: (toolCallId: string, text: string) => Promise<void>
  hideAnswer: (toolCallId: string) => Promise<() => void | Promise<void>>
}

export type ChannelCase = CaseOf<keyof ChannelAbilities, ChannelContext>

/** Makes the context of one case, and releases everything afterwards. */
export async function withChannel<E extends ChannelEnds>(
  make: () => E | Promise<E>,
  abilities: ChannelAbilities<E>,
  run: (context: ChannelContext) => Promise<void>,
): Promise<void> {
  const ends = await make()
  const missing = (ability: string): never => assert.fail(`The maker does not have ${ability}`)
  try {
    await run({
      runner: () => ends.runner(),
      host: () => ends.host(),
      hostProcess: () => abilities.hostProcess?.(ends) ?? missing('hostProcess'),
      putAnswer: async (toolCallId, text) => abilities.putAnswer?.(ends, toolCallId, text),
      putRecord: async (toolCallId, text) => abilities.putRecord?.(ends, toolCallId, text),
      hideAnswer: async (toolCallId) => abilities.hideAnswer?.(ends, toolCallId) ?? missing('hideAnswer'),
    })
  } finally {
    await abilities.remove?.(ends)
  }
}

/** The first answer of a wait. */
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
