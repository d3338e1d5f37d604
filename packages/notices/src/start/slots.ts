import pLimit, { type LimitFunction } from 'p-limit'

/** Runs a task once there is room among those of this name. */
export type Slots = <T>(name: string, task: () => Promise<T>) => Promise<T>

/** @param atOnce how many tasks of one name run at once */
export function createSlots(atOnce: number): Slots {
  const limits = new Map<string, LimitFunction>()
  return async (name, task) => {
    const limit = limits.get(name) ?? pLimit(atOnce)
    limits.set(name, limit)
    try {
      return await limit(task)
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(name)
    }
  }
}
