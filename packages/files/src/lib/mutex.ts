const lines = new Map<string, Promise<unknown>>()

/** Runs `task` after every task of this process that was given the same key before. */
export async function createMutex<T>(key: string, task: () => Promise<T>): Promise<T> {
  const turn = (lines.get(key) ?? Promise.resolve()).then(task, task)
  lines.set(key, turn)
  try {
    return await turn
  } finally {
    if (lines.get(key) === turn) lines.delete(key)
  }
}
