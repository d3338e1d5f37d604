import * as v from 'valibot'
import { type AskErrorCode, type Fault, invalid, MOST_FAULTS } from './errors.ts'
import { isObject } from './objects.ts'

// What a schema says by `metadata` is for its JSON Schema in the folder `schemas`, where its checks are functions.

/** Text with something to read in it. */
export const filledText: v.GenericSchema<string, string> = v.pipe(
  v.string(),
  v.regex(/\S/, 'text that is not empty'),
)

/** What may be left out, also as `null`: ACP, Codex and several generators of schemas write that. */
export const absent = <T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T | undefined> =>
  v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  )

/** The same, where a value of a wrong type is as good as none, such as a title. */
export const lenient = <T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T | undefined> =>
  v.fallback(absent(schema), undefined)

/** An ISO 8601 time, such as `2025-01-30T12:00:00.000Z`. */
export const isoTime: v.GenericSchema<string, string> = v.pipe(
  v.string(),
  v.metadata({ format: 'date-time' }),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'an ISO 8601 time'),
)

/**
 * A list of at most `most` entries. The length is checked before the entries, and checking ends at 50 faults: a foreign
 * file can hold half a million entries, and each could have faults of its own.
 */
export const listOf = <T>(
  entry: v.GenericSchema<unknown, T>,
  most: number,
  tooLong: string = `at most ${most} entries`,
): v.GenericSchema<unknown, T[]> =>
  v.pipe(
    v.custom<unknown[]>(Array.isArray, 'a list'),
    v.metadata({ type: 'array', items: entry }),
    v.maxLength(most, tooLong),
    v.rawTransform((context): T[] => {
      const list = context.dataset.value
      const parsed = parseEach(entry, list.entries(), context, (key) => ({
        type: 'array',
        origin: 'value',
        input: list,
        key,
        value: list[key],
      }))
      return parsed?.map(([, value]) => value) ?? context.NEVER
    }),
  )

/** How many entries a map of a foreign file or request may have: far more than there can be questions. */
const MOST_KEYS = 1000

/**
 * A plain object used as a map. Unlike a library's record schema it keeps every key, `__proto__` and
 * `constructor` too, as own properties of the result. It has limits as {@link listOf} has.
 */
export const mapOf = <T>(value: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, Record<string, T>> =>
  v.pipe(
    v.custom<object>(isObject, 'an object'),
    v.metadata({ type: 'object', additionalProperties: value, maxProperties: MOST_KEYS }),
    v.check((map) => Object.keys(map).length <= MOST_KEYS, `at most ${MOST_KEYS} keys`),
    v.rawTransform((context): Record<string, T> => {
      const map = context.dataset.value
      const parsed = parseEach(value, Object.entries(map), context, (key, entry) => ({
        type: 'object',
        origin: 'value',
        input: map as never,
        key,
        value: entry,
      }))
      return parsed ? Object.fromEntries(parsed) : context.NEVER
    }),
  )

/** Parses by the schema that the input itself chooses, so that its own faults are named. `all` describes what may come. */
export const byOne = <T>(
  all: v.GenericSchema<unknown, T>,
  choose: (input: unknown) => v.GenericSchema<unknown, T>,
): v.GenericSchema<unknown, T> =>
  v.pipe(
    v.unknown(),
    v.metadata({ describedBy: all }),
    v.rawTransform(({ dataset, addIssue, NEVER }): T => {
      const { success, output, issues } = v.safeParse(choose(dataset.value), dataset.value)
      for (const issue of issues ?? [])
        addIssue({ message: expectedOf(issue), ...(issue.path && { path: issue.path }) })
      return success ? output : NEVER
    }),
  )

/** Parses the entries of a list or a map until there are too many faults; `null` where there is any. */
function parseEach<K, T>(
  schema: v.GenericSchema<unknown, T>,
  entries: Iterable<[K, unknown]>,
  { addIssue }: Pick<v.RawTransformContext<unknown>, 'addIssue'>,
  itemOf: (key: K, entry: unknown) => v.IssuePathItem,
): [K, T][] | null {
  const parsed: [K, T][] = []
  let faults = 0
  for (const [key, entry] of entries) {
    const result = v.safeParse(schema, entry)
    if (result.success) parsed.push([key, result.output])
    for (const issue of result.issues ?? []) {
      const path: [v.IssuePathItem, ...v.IssuePathItem[]] = [itemOf(key, entry), ...(issue.path ?? [])]
      addIssue({ message: expectedOf(issue), path })
      faults += 1
    }
    if (faults >= MOST_FAULTS) break
  }
  return faults === 0 ? parsed : null
}

const WORDS: Readonly<Record<string, string>> = { Object: 'an object', Array: 'a list', string: 'text' }

/** What a check without words of its own expects; a limit stands behind it. */
const CHECKS: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  finite: 'a number',
  non_empty: 'text that is not empty',
  min_value: 'at least',
  max_value: 'at most',
  min_length: 'a length of at least',
  max_length: 'a length of at most',
}

/** What an issue expected, in words, without the input itself: errors travel to logs and pages. */
const expectedOf = ({ message, expected, type, requirement }: v.BaseIssue<unknown>): string => {
  if (message.startsWith('Invalid key')) return expected === 'never' ? 'no such key' : 'a value'
  if (!message.startsWith('Invalid ')) return message
  const check = CHECKS[type]
  if (check) return typeof requirement === 'number' ? `${check} ${requirement}` : check
  return expected === null ? message : (WORDS[expected] ?? expected)
}

const pathOf = (issue: v.BaseIssue<unknown>, root: string | undefined): string =>
  [root, v.getDotPath(issue)].filter((part) => part != null).join('.')

/** Parses `input`, or throws an {@link AskError} with `code` that lists every fault; `root` begins their paths. */
export function parseWith<T>(
  schema: v.GenericSchema<unknown, T>,
  input: unknown,
  code: AskErrorCode,
  what: string,
  root?: string,
): T {
  const parsed = v.safeParse(schema, input)
  if (parsed.success) return parsed.output
  throw invalid(
    code,
    what,
    parsed.issues.map((issue): Fault => ({ path: pathOf(issue, root), expected: expectedOf(issue) })),
  )
}

/** Without the mark of the byte order, which editors and shells of Windows write before a text. JSON has none. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/** Parses JSON text; text that is none is an {@link AskError} like every other fault. */
export function parseJson(text: string, code: AskErrorCode, what: string): unknown {
  try {
    return JSON.parse(withoutMark(text))
  } catch {
    throw invalid(code, what, [{ path: '', expected: text === '' ? 'JSON, found an empty text' : 'JSON' }])
  }
}
