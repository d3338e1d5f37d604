/** Reads an own property, so that a map with hostile keys never answers from its prototype. */
export const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined

/** Whether a value is an object with keys: no array, not `null`. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values that `find` has for the keys; a key for which it is `undefined` is left out. */
export const recordOf = <T>(
  keys: readonly string[],
  find: (key: string, index: number) => T | undefined,
): Record<string, T> =>
  Object.fromEntries(
    keys.flatMap((key, index): [string, T][] => {
      const value = find(key, index)
      return value === undefined ? [] : [[key, value]]
    }),
  )

interface Primitives {
  string: string
  boolean: boolean
  number: number
}

/** Those of an object's values that are of this type. Anything but an object has none. */
export const pick = <K extends string, T extends keyof Primitives>(
  from: unknown,
  type: T,
  keys: readonly K[],
): Partial<Record<K, Primitives[T]>> =>
  recordOf(keys, (key) => (isObject(from) && typeof from[key] === type ? from[key] : undefined)) as Partial<
    Record<K, Primitives[T]>
  >

/** Whether objects and lists are nested deeper in a value. */
export const isDeeperThan = (depth: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((entry) => isDeeperThan(depth - 1, entry)))
