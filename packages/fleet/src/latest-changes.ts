import { createWakeSignal } from '@sandagent/core/internal'

/** What changed for a subscription and was not yielded yet. Of each key only the latest change is kept. */
export function latestChanges<T>(stopped: AbortSignal) {
  const wake = createWakeSignal(stopped)
  const due = new Map<string, T>()
  return {
    take(key: string, change: T): void {
      due.set(key, change)
      wake.ring()
    },
    /** What was taken until now is not yielded. */
    forget: (): void => due.clear(),
    /** The first list comes at once, also an empty one. It says that the subscription holds. */
    async *lists(): AsyncGenerator<T[], void> {
      while (!stopped.aborted) {
        const list = [...due.values()]
        due.clear()
        yield list
        while (due.size === 0 && !stopped.aborted) await wake.sleep()
      }
    },
  }
}
