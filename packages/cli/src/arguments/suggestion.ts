/** `. Did you mean X?` with the nearest known word, or an empty text. */
export function suggestion(word: string, known: readonly string[]): string {
  const beginning = known.find((candidate) => word.length > 2 && candidate.startsWith(word))
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .filter(({ distance }) => distance <= Math.max(1, word.length / 3))
    .sort((one, other) => one.distance - other.distance)
  const found = beginning ?? nearest?.candidate
  return found === undefined ? '' : `. Did you mean ${found}?`
}

/** The edit distance, where a swap of neighbours counts as one. */
function distanceOf(one: string, other: string): number {
  const letters = [...one.slice(0, 40)]
  const others = [...other]
  let before: number[] = []
  let row = Array.from({ length: others.length + 1 }, (_, index) => index)
  for (const [line, letter] of letters.entries()) {
    const next = [line + 1]
    for (const [column, candidate] of others.entries()) {
      const isSwapped = letter === others[column - 1] && letters[line - 1] === candidate
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === candidate ? 0 : 1),
          isSwapped ? (before[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
