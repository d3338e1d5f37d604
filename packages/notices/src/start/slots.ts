import pLimit, { type LimitFunction } from 'p-limit'

/** Runs a task once there is room for it. */
export type Slot = <T>(task: () => Promise<T>) => Promise<T>

/** @returns the limit of a name: how many of its tasks run at once. It is forgotten when none runs. */
export function createSlots(atOnce: number): (name: string) => Slot {
  const limits = new Map<string, LimitFunction>()
  return (name) => async (task) => {
    const limit = limits.get(name) ?? pLimit(atOnce)
    limits.set(name, limit)
    try {
      return await limit(task)
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(name)
    }
  }
}
