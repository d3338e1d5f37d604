/**
 * JSON with the keys of every object in one order and nothing between its parts: equal contents are equal texts, so
 * that two programs come to the same hash.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, (_, entry) => sorted(entry))

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
