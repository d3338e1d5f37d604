// Repeatable random numbers: each input has its own, so that one input can be made again without those before it.

/**
 * @typedef {object} Random
 * @property {() => number} next from 0 to below 1
 * @property {(below: number) => number} int a whole number from 0
 * @property {(share: number) => boolean} chance
 * @property {<T>(list: readonly T[]) => T} pick from a list that is not empty
 */

/**
 * The random numbers of one input, by the algorithm mulberry32.
 *
 * @param {number} seed of the run
 * @param {number} input its number
 * @returns {Random}
 */
export function randomOf(seed, input) {
  let state = mixed(mixed(seed | 0) ^ mixed((input + 0x9e3779b9) | 0))
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (/** @type {number} */ below) => Math.floor(next() * below)
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: (list) => /** @type {any} */ (list[int(list.length)]),
  }
}

/** @param {number} word */
function mixed(word) {
  let mixed = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return mixed ^ (mixed >>> 15)
}
