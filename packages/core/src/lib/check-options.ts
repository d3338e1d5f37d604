import { invalid } from './errors.ts'
import { isObject } from './objects.ts'

/** The names of the options of `T`; the compiler complains about one that is missing. */
export type OptionNames<T> = { readonly [name in keyof Required<T>]: true }

/**
 * Refuses options that a function does not have. A caller without types may misspell one, or put it into another
 * argument. Without this check the option would do nothing, and nobody would say so.
 *
 * @param what the argument, as in `askUser: its options`
 * @throws AskError `INVALID_REQUEST` with the names that are unknown.
 */
export function checkOptions<T>(what: string, given: unknown, names: OptionNames<T>): void {
  if (!isObject(given)) throw invalid('INVALID_REQUEST', what, [{ path: '', expected: 'an object' }])
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(names, name))
  if (unknown.length === 0) return
  const expected = `no such name; there are ${Object.keys(names).join(', ')}`
  throw invalid(
    'INVALID_REQUEST',
    what,
    unknown.map((path) => ({ path, expected })),
  )
}
