/** Random numbers that a seed repeats: mulberry32. */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number
  /** A whole number from 0 to below `count`. */
  below(count: number): number
  chance(share: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
  /** Picks by weights. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)] ?? items[0],
    weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
      const entries = Object.entries(weights) as [T, number][]
      let point = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        point = point - weight
        if (point < 0) return name
      }
      return (entries.at(-1) as [T, number])[0]
    },
  }
}
