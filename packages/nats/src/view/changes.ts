import { createWakeSignal, stoppable } from '@sandagent/core/internal'
import type { StoredQuestion, StoreSubscribeOptions } from '@sandagent/core/store'
import type { StoreParts } from './store-parts.ts'
import { type Entry, questionOf } from './stored-question.ts'

/** What is in a view of a namespace, then what changes. */
export const changesOf = (
  parts: () => Promise<StoreParts>,
  namespace: string,
  signal: AbortSignal,
  { toolCallId, onlyNew = false }: StoreSubscribeOptions,
): AsyncIterable<readonly StoredQuestion[]> =>
  stoppable(signal, async function* follow(stopped) {
    const { view, live } = await parts()
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
      await orAborted(live.caughtUp(), ended)
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

async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let end = (): void => {}
  const aborted = new Promise<void>((resolve) => {
    end = resolve
  })
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', end))
}
