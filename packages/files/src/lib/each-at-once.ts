/**
 * Does the same for each item, for at most so many at once. Thousands of items cost no more than those that are under way.
 *
 * @throws the first error, while the others go on
 */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]()
  const workFrom = async (first: T): Promise<void> => {
    await work(first)
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  const working: Promise<void>[] = []
  for (let next = left.next(); !next.done; next = left.next()) {
    working.push(workFrom(next.value))
    if (working.length >= most) break
  }
  await Promise.all(working)
}
