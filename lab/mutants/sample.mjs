// A seeded choice of mutants, spread over the sources by their size and over the kinds of mutations.

/** @typedef {{ path: string, source: string, mutations: import('./mutators.mjs').Mutation[] }} Source */
/** @typedef {{ path: string, line: number, text: string, before: string } & import('./mutators.mjs').Mutation} Mutant */

/**
 * @param {readonly Source[]} sources with paths relative to the repository
 * @param {number} count
 * @param {number} seed
 * @returns {Mutant[]} in the order of the sources; fewer than `count` only if there are fewer
 */
export function sampleOf(sources, count, seed) {
  const random = createRandom(seed)
  const rest = sources.map((source) => ({ ...source, mutations: [...source.mutations] }))
  /** @type {Mutant[]} */
  const chosen = []
  for (let index = 0; index < count; index++) {
    const filled = rest.filter(({ mutations }) => mutations.length > 0)
    // Each draw has its own share of the sources, so that none of them is left out by chance.
    const source = sourceAt(filled, (index + random()) / count)
    if (source) chosen.push(take(source, random))
  }
  return chosen
}

/**
 * Mutants that are known by their texts: their lines may have moved.
 *
 * @param {readonly Source[]} sources
 * @param {readonly Pick<Mutant, 'path' | 'text' | 'before' | 'after'>[]} known
 * @returns {Mutant[]}
 */
export function mutantsLike(sources, known) {
  const isKnown = (/** @type {Mutant} */ { path, text, before, after }) =>
    known.some(
      (one) => one.path === path && one.text === text && one.before === before && one.after === after,
    )
  return sources.flatMap((source) =>
    known.some(({ path }) => path === source.path)
      ? source.mutations.map((mutation) => mutantOf(source, mutation)).filter(isKnown)
      : [],
  )
}

/**
 * @param {readonly Source[]} sources
 * @param {number} place between 0 and 1
 */
function sourceAt(sources, place) {
  const wanted = place * sources.reduce((sum, { source }) => sum + source.length, 0)
  let end = 0
  return sources.find(({ source }) => {
    end += source.length
    return wanted < end
  })
}

/**
 * Draws a kind first: otherwise every third mutant would empty a text.
 *
 * @param {Source} from it loses the mutation
 * @param {() => number} random
 * @returns {Mutant}
 */
function take({ mutations, ...from }, random) {
  const kinds = [...new Set(mutations.map((mutation) => mutation.kind))]
  const kind = pick(kinds, random)
  const mutation = pick(
    mutations.filter((candidate) => candidate.kind === kind),
    random,
  )
  mutations.splice(mutations.indexOf(mutation), 1)
  return mutantOf(from, mutation)
}

/**
 * @param {Pick<Source, 'path' | 'source'>} source
 * @param {import('./mutators.mjs').Mutation} mutation
 * @returns {Mutant}
 */
function mutantOf({ path, source }, mutation) {
  const lines = source.slice(0, mutation.start).split('\n')
  const text = source.split('\n')[lines.length - 1]?.trim() ?? ''
  return { path, line: lines.length, text, before: source.slice(mutation.start, mutation.end), ...mutation }
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {() => number} random
 */
function pick(list, random) {
  return /** @type {T} */ (list[Math.floor(random() * list.length)])
}

/**
 * Marsaglia's xorshift: the same numbers on every machine.
 *
 * @param {number} seed
 * @returns {() => number} from 0 to below 1
 */
function createRandom(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1) || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
