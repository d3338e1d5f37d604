import { createWakeSignal, stoppable } from '@sandagent/core/internal'
import type { StoredQuestion, StoreSubscribeOptions } from '@sandagent/core/store'
import { latestChanges } from '@sandagent/fleet/internal'
import type { LiveView } from './live-view.ts'
import { type Entry, questionOf } from './stored-question.ts'

/** What is in a view of a namespace, then what changes. */
export const changesOf = (
  connect: () => Promise<LiveView>,
  namespace: string,
  signal: AbortSignal,
  { toolCallId, onlyAnswers = false }: StoreSubscribeOptions,
): AsyncIterable<readonly StoredQuestion[]> =>
  stoppable(signal, async function* (stopped) {
    const live = await connect()
    const ended = AbortSignal.any([stopped, live.closed])
    const changes = latestChanges<Entry>(ended)
    const take = (entry: Entry): void => {
      if (toolCallId === undefined || entry.toolCallId === toolCallId) changes.take(entry.toolCallId, entry)
    }
    const leave = live.view.listen(namespace, take)
    try {
      // Nobody rings the second one: it wakes when the subscription ends.
      await Promise.race([live.caughtUp(), createWakeSignal(ended).sleep()])
      changes.forget()
      if (!onlyAnswers) live.view.entries(namespace).forEach(take)
      for await (const changed of changes.lists()) yield changed.map(questionOf)
    } finally {
      leave()
    }
  })
