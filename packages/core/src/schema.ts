import * as v from 'valibot'
import { type AskErrorCode, type Fault, invalid } from './errors.ts'
import { isObject } from './own.ts'

/** Text with something to read in it. */
export const filledText: v.GenericSchema<string, string> = v.pipe(
  v.string(),
  v.check((text) => text.trim() !== '', 'text that is not empty'),
)

/** An ISO 8601 time, such as `2025-01-30T12:00:00.000Z`. */
export const isoTime: v.GenericSchema<string, string> = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'an ISO 8601 time'),
)

/**
 * A plain object used as a map. Unlike a library's record schema it keeps every key, `__proto__` and
 * `constructor` too, as own properties of the result.
 */
export const mapOf = <T>(value: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, Record<string, T>> =>
  v.pipe(
    v.custom<object>(isObject, 'an object'),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const entries: [string, T][] = []
      let valid = true
      for (const [key, entry] of Object.entries(dataset.value)) {
        const parsed = v.safeParse(value, entry)
        if (parsed.success) entries.push([key, parsed.output])
        else {
          valid = false
          const path: v.ObjectPathItem = {
            type: 'object',
            origin: 'value',
            input: dataset.value as never,
            key,
            value: entry,
          }
          for (const issue of parsed.issues)
            addIssue({
              message: expectedOf(issue),
              path: [path, ...((issue.path ?? []) as v.IssuePathItem[])],
            })
        }
      }
      return valid ? Object.fromEntries(entries) : NEVER
    }),
  )

const WORDS: Readonly<Record<string, string>> = { Object: 'an object', Array: 'a list', string: 'text' }

/** What an issue expected, in words, without the input itself: errors travel to logs and pages. */
const expectedOf = ({ message, expected }: v.BaseIssue<unknown>): string => {
  if (message.startsWith('Invalid key')) return expected === 'never' ? 'no such key' : 'a value'
  return message.startsWith('Invalid ') && expected !== null ? (WORDS[expected] ?? expected) : message
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

/** Parses JSON text; text that is none is an {@link AskError} like every other fault. */
export function parseJson(text: string, code: AskErrorCode, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(code, what, [{ path: '', expected: text === '' ? 'JSON, found an empty text' : 'JSON' }])
  }
}
