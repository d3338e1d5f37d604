import type { HostChannel } from '@sandagent/core'
import { type Place, untilMove } from './parked-place.ts'

/** The channel of a sandbox that has one of its own while it is awake; that of the host's copy while it sleeps. */
export function parkedChannel(place: Place, near: HostChannel, copy: HostChannel): HostChannel {
  const now = (): HostChannel => (place.isAwake() ? near : copy)
  const inForce = async <T>(work: (channel: HostChannel) => Promise<T>): Promise<T> => {
    const done = await place.ifAwake(() => work(near))
    return done ? done.value : work(copy)
  }
  return {
    questions: (options) => inForce((channel) => channel.questions(options)),
    states: (records) => inForce((channel) => channel.states(records)),
    read: (toolCallId) => inForce((channel) => channel.read(toolCallId)),
    known: async (toolCallId) => (await now().known?.(toolCallId)) ?? null,
    olderQuestions: () => inForce(async (channel) => (await channel.olderQuestions?.()) ?? []),
    write: (answerFile, options) => inForce((channel) => channel.write(answerFile, options)),
    persist: (toolCallId) => inForce(async (channel) => channel.persist?.(toolCallId)),
    async *subscribe(signal, toolCallId) {
      while (!signal.aborted) {
        const turn = untilMove(place, signal)
        try {
          yield* now().subscribe(turn.signal, toolCallId)
        } finally {
          turn.end()
        }
      }
    },
  }
}
