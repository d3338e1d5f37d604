// What a run shows: the figures, and each fault with the command that repeats it.

/** How many faults of one parser are shown. */
const SHOWN = 3

/**
 * @param {import('./run-inputs.mjs').Outcome} outcome
 * @param {string} only the parsers that ran
 * @returns {string}
 */
export function textOf({ inputs, seed, crashes, hangs, heap, parsers, unreached, seconds }, only) {
  const repeat = (/** @type {number} */ input) =>
    `npm run fuzz -- --seed ${seed} --at ${input}${only === '' ? '' : ` --only '${only}'`}`
  /** @type {Map<string, number>} */
  const shown = new Map()
  const faults = [...crashes, ...hangs].flatMap(({ input, parser, fault, preview }) => {
    const before = shown.get(parser) ?? 0
    shown.set(parser, before + 1)
    return before >= SHOWN ? [] : [`${parser}\n    ${fault}\n    ${preview}\n    ${repeat(input)}`]
  })
  const names = Object.keys(parsers)
  const taken = names.reduce((sum, name) => sum + (parsers[name]?.taken ?? 0), 0)
  const megabytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e5) / 10} MB`
  return [
    ...faults,
    ...(unreached ?? []),
    `${inputs} inputs for ${names.length} parsers in ${seconds} s: ${crashes.length} crashes, ${hangs.length} hangs, ` +
      `${taken} taken, the others refused. Heap: ${megabytes(heap.firstBytes)} at first, ` +
      `${megabytes(heap.lastBytes)} at the end, ${megabytes(heap.mostBytes)} at most`,
  ].join('\n')
}
