/** Runs a task after every earlier task with the same key has ended. */
export type Mutex = <T>(key: string, task: () => Promise<T>) => Promise<T>

/** Makes a mutex for the tasks of this process. */
export function createMutex(): Mutex {
  const last = new Map<string, Promise<unknown>>()
  return async (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task, task)
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
