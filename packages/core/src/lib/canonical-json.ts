import { isObject } from './objects.ts'

/**
 * JSON with the keys of every object in one order and nothing between its parts: equal contents are equal texts, so
 * that two programs come to the same hash.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, (_, entry) => sorted(entry))

const sorted = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
