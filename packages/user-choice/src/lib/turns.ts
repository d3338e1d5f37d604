/** Runs tasks with the same name one after the other. */
export function createTurns(): <T>(name: string, task: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, Promise<unknown>>()
  return async (name, task) => {
    const turn = (lines.get(name) ?? Promise.resolve()).then(task, task)
    lines.set(name, turn)
    try {
      return await turn
    } finally {
      if (lines.get(name) === turn) lines.delete(name)
    }
  }
}
