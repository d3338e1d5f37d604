/** A line of two texts, and in which of them it is. */
export interface LineChange {
  kind: 'same' | 'removed' | 'added'
  line: string
}

/** How many lines may differ before all of them are shown as replaced: finding the fewest changes takes long then. */
const MOST_CHANGES = 400

/**
 * What changes between two texts, line by line. No line is left out: what is the same or removed makes the first text, what
 * is the same or added the second. Lines end at line feeds alone, and a text that ends with one has an empty last line.
 *
 * No library does this: the shortest one is larger than the rest of an approval, and the page would show a call before what
 * it changes.
 */
export function lineChanges(before: string | null, after: string): LineChange[] {
  const old = before === null ? [] : before.split('\n')
  const fresh = after.split('\n')
  const shorter = Math.min(old.length, fresh.length)
  let head = 0
  while (head < shorter && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  return [
    ...all('same', old.slice(0, head)),
    ...between(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...all('same', old.slice(old.length - tail)),
  ]
}

const all = (kind: LineChange['kind'], lines: readonly string[]): LineChange[] =>
  lines.map((line) => ({ kind, line }))

/** The fewest changes, by Myers' greedy algorithm: https://doi.org/10.1007/BF01840446 */
function between(old: readonly string[], fresh: readonly string[]): LineChange[] {
  /** By number of changes: how far into `old` each diagonal (old index minus fresh index) reached. */
  const reached: Map<number, number>[] = []
  let last = new Map([[1, 0]])
  for (let changes = 0; changes <= MOST_CHANGES; changes += 1) {
    const now = new Map<number, number>()
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = stepsDown(last, diagonal) ? at(last, diagonal + 1) : at(last, diagonal - 1) + 1
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) x += 1
      now.set(diagonal, x)
      if (x >= old.length && x - diagonal >= fresh.length) return wayBack(old, fresh, reached)
    }
    reached.push(now)
    last = now
  }
  return [...all('removed', old), ...all('added', fresh)]
}

const at = (reached: ReadonlyMap<number, number>, diagonal: number): number => reached.get(diagonal) ?? -1

/** Whether the best way to a diagonal is by an added line. The other way is by a removed one. */
const stepsDown = (before: ReadonlyMap<number, number>, diagonal: number): boolean =>
  at(before, diagonal + 1) > at(before, diagonal - 1)

function wayBack(
  old: readonly string[],
  fresh: readonly string[],
  reached: readonly ReadonlyMap<number, number>[],
): LineChange[] {
  const changes: LineChange[] = []
  let x = old.length
  let diagonal = old.length - fresh.length
  const keep = (from: number): void => {
    while (x > from) changes.push({ kind: 'same', line: old[--x] as string })
  }
  for (const before of reached.toReversed()) {
    if (stepsDown(before, diagonal)) {
      diagonal += 1
      keep(at(before, diagonal))
      changes.push({ kind: 'added', line: fresh[x - diagonal] as string })
    } else {
      diagonal -= 1
      keep(at(before, diagonal) + 1)
      changes.push({ kind: 'removed', line: old[--x] as string })
    }
  }
  keep(0)
  return changes.reverse()
}
