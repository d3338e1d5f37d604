import type { HostQuestions } from '@sandagent/core/store'
import { type Place, untilMove } from './parked-place.ts'

/** The store of a sandbox while it is awake; the host's copy of its files while it sleeps. */
export function parkedQuestions(place: Place, near: HostQuestions, copy: HostQuestions): HostQuestions {
  const now = (): HostQuestions => (place.isAwake() ? near : copy)
  const inForce = async <T>(work: (store: HostQuestions) => Promise<T>): Promise<T> => {
    const done = await place.ifAwake(() => work(near))
    return done ? done.value : work(copy)
  }
  return {
    ...(near.tellsOfLoss && { tellsOfLoss: true }),
    read: (...of) => inForce((store) => store.read(...of)),
    latest: async (toolCallId) => (await now().latest?.(toolCallId)) ?? null,
    list: (options) => inForce((store) => store.list(options)),
    withoutRecord: (candidates) => inForce(async (store) => (await store.withoutRecord?.(candidates)) ?? []),
    writeAnswer: (...of) => inForce((store) => store.writeAnswer(...of)),
    persist: () => inForce(async (store) => store.persist?.()),
    async *subscribe(signal, options) {
      while (!signal.aborted) {
        const turn = untilMove(place, signal)
        try {
          yield* now().subscribe(turn.signal, options)
        } finally {
          turn.end()
        }
      }
    },
  }
}
