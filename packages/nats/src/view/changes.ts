import { createWakeSignal, stoppable } from '@sandagent/core/internal'
import type { StoredQuestion, StoreSubscribeOptions } from '@sandagent/core/store'
import type { LiveView } from './live-view.ts'
import { type Entry, questionOf } from './stored-question.ts'

/** What is in a view of a namespace, then what changes. */
export const changesOf = (
  connect: () => Promise<LiveView>,
  namespace: string,
  signal: AbortSignal,
  { toolCallId, onlyNew = false }: StoreSubscribeOptions,
): AsyncIterable<readonly StoredQuestion[]> =>
  stoppable(signal, async function* follow(stopped) {
    const live = await connect()
    const { view } = live
    const ended = AbortSignal.any([stopped, live.closed])
    const wake = createWakeSignal(ended)
    const changed = new Map<string, Entry>()
    const isMeant = (entry: Entry): boolean => toolCallId === undefined || entry.toolCallId === toolCallId
    const leave = view.listen(namespace, (entry) => {
      if (!isMeant(entry)) return
      changed.set(entry.toolCallId, entry)
      wake.ring()
    })
    try {
      // Nobody rings the second one: it wakes when the subscription ends.
      await Promise.race([live.caughtUp(), createWakeSignal(ended).sleep()])
      if (ended.aborted) return
      changed.clear()
      yield onlyNew ? [] : view.entries(namespace).filter(isMeant).map(questionOf)
      for (;;) {
        if (changed.size === 0) await wake.sleep()
        if (ended.aborted) return
        const batch = [...changed.values()].map(questionOf)
        changed.clear()
        if (batch.length > 0) yield batch
      }
    } finally {
      leave()
    }
  })
