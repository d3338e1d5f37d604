/** Random numbers from 0 to below 1. The same seed gives the same numbers. */
export type Random = () => number

/** Mulberry32: 32 bits of state, which is enough for some million samples. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The pause until the next event of a Poisson process, in the unit of `mean`. */
export const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random())
