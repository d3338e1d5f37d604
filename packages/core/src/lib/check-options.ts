import { type Fault, invalid } from './errors.ts'
import { isObject } from './objects.ts'

/** What an option must be, where it is given; `true` for what is checked elsewhere. A secret must be given. */
type Kind = true | 'function' | 'list' | 'signal' | 'clock' | 'secret'

const has = (given: unknown, ...names: string[]): boolean =>
  names.every((name) => typeof (given as Record<string, unknown> | null)?.[name] === 'function')

const KINDS: Record<Kind & string, { expected: string; fits: (given: unknown) => boolean }> = {
  function: { expected: 'a function', fits: (given) => typeof given === 'function' },
  list: { expected: 'a list', fits: Array.isArray },
  signal: { expected: 'an AbortSignal', fits: (given) => has(given, 'addEventListener') },
  clock: { expected: 'a clock, with now() and after()', fits: (given) => has(given, 'now', 'after') },
  // A variable of the environment that is not set often comes as an empty text, which everybody can guess.
  secret: {
    expected: 'a text that is not empty: give it the secret',
    fits: (given) => typeof given === 'string' && given.trim() !== '',
  },
}

/** The names of the options of `T`; the compiler complains about one that is missing. */
export type OptionNames<T> = { readonly [name in keyof Required<T>]: Kind }

/**
 * Refuses options that a function does not have, and values that would only fail later. A caller without types may misspell
 * an option, or put it into another argument. Without this check the option would silently do nothing.
 *
 * @param what the argument, as in `askUser: its options`
 * @throws AskError `INVALID_REQUEST` with every fault.
 */
export function checkOptions<T>(what: string, given: unknown, names: OptionNames<T>): void {
  if (!isObject(given)) throw invalid('INVALID_REQUEST', what, [{ path: '', expected: 'an object' }])
  const missing = Object.keys(names).filter(
    (path) => names[path as keyof T] === 'secret' && !Object.hasOwn(given, path),
  )
  const entries = [...Object.entries(given), ...missing.map((path) => [path, undefined] as const)]
  const faults = entries.flatMap(([path, value]): Fault[] => {
    const kind: Kind | undefined = Object.hasOwn(names, path) ? names[path as keyof T] : undefined
    if (kind === undefined)
      return [{ path, expected: `no such name; there are ${Object.keys(names).join(', ')}` }]
    if (kind === true || (value === undefined && kind !== 'secret') || KINDS[kind].fits(value)) return []
    return [{ path, expected: KINDS[kind].expected }]
  })
  if (faults.length > 0) throw invalid('INVALID_REQUEST', what, faults)
}
