/**
 * Does some work, and then ends what it needed: each thing, one after another, whatever fails.
 *
 * @throws the first failure: that of the work, if it failed
 */
export async function thenEnd<T>(
  work: () => T | Promise<T>,
  ...ends: readonly (() => unknown)[]
): Promise<T> {
  const failures: unknown[] = []
  const noted = async <R>(step: () => R | Promise<R>): Promise<R | undefined> => {
    try {
      return await step()
    } catch (error) {
      failures.push(error)
      return undefined
    }
  }
  const result = await noted(work)
  for (const end of ends) await noted(end)
  if (failures.length > 0) throw failures[0]
  return result as T
}
