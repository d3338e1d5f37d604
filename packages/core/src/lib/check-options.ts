import { type Fault, invalid } from './errors.ts'
import { isObject, own } from './objects.ts'

/**
 * What an option must be, where it is given: one of a list of values, or a kind; `true` for what is checked elsewhere. A secret
 * and a folder must be given.
 */
type Kind =
  | true
  | readonly (string | boolean)[]
  | 'function'
  | 'list'
  | 'text'
  | 'signal'
  | 'clock'
  | 'secret'
  | 'folder'

const has = (given: unknown, ...names: string[]): boolean =>
  names.every((name) => typeof (given as Record<string, unknown> | null)?.[name] === 'function')

const isFilled = (given: unknown): boolean => typeof given === 'string' && given.trim() !== ''

const KINDS: Record<Kind & string, { expected: string; fits: (given: unknown) => boolean }> = {
  function: { expected: 'a function', fits: (given) => typeof given === 'function' },
  list: { expected: 'a list', fits: Array.isArray },
  text: { expected: 'text that is not empty', fits: isFilled },
  signal: { expected: 'an AbortSignal', fits: (given) => has(given, 'addEventListener') },
  clock: {
    expected: 'a clock, with now() and after()',
    fits: (given) => has(given, 'now', 'after'),
  },
  // A variable of the environment that is not set often comes as an empty text, which everybody can guess.
  secret: { expected: 'a text that is not empty: give it the secret', fits: isFilled },
  // An empty path would be the current folder.
  folder: { expected: 'the path of a folder, such as "/workspace"', fits: isFilled },
}

/** Kinds of options that must be given. */
const MUST_BE_GIVEN: readonly unknown[] = ['secret', 'folder']

const expectedOf = (kind: Exclude<Kind, true>): string =>
  typeof kind === 'string' ? KINDS[kind].expected : `one of ${kind.join(', ')}`

const fits = (kind: Exclude<Kind, true>, value: unknown): boolean =>
  typeof kind === 'string' ? KINDS[kind].fits(value) : kind.some((word) => word === value)

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
    (path) => MUST_BE_GIVEN.includes(names[path as keyof T]) && !Object.hasOwn(given, path),
  )
  const entries = [...Object.entries(given), ...missing.map((path) => [path, undefined] as const)]
  const faults = entries.flatMap(([path, value]): Fault[] => {
    const kind: Kind | undefined = Object.hasOwn(names, path) ? names[path as keyof T] : undefined
    if (kind === undefined)
      return [{ path, expected: `no such name; there are ${Object.keys(names).join(', ')}` }]
    if (kind === true || (value === undefined && !MUST_BE_GIVEN.includes(kind)) || fits(kind, value))
      return []
    return [{ path, expected: expectedOf(kind) }]
  })
  if (faults.length > 0) throw invalid('INVALID_REQUEST', what, faults)
}

/** Which keys a value may have, as JSON Schema says it. Below a key without such words, everything is known. */
export interface KnownKeys {
  items?: KnownKeys
  properties?: Readonly<Record<string, KnownKeys>>
}

/** A fault for each key that a value has and nobody knows. */
export function unknownKeys({ items, properties }: KnownKeys, value: unknown, ...path: string[]): Fault[] {
  if (items && Array.isArray(value))
    return value.flatMap((item, index) => unknownKeys(items, item, ...path, `${index}`))
  if (!properties || !isObject(value)) return []
  return Object.entries(value).flatMap(([key, entry]) => {
    const known = own(properties, key)
    if (known) return unknownKeys(known, entry, ...path, key)
    const expected = `no such key; there are ${Object.keys(properties).join(', ')}`
    return [{ path: [...path, key].join('.'), expected }]
  })
}
