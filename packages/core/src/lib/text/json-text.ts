import { jsonForPeople } from './json-for-people.ts'
import { visible } from './printable.ts'

/**
 * A value as JSON in which nothing is out of sight: characters that cannot be seen are written as escapes. Who edits it gets
 * the same value back.
 */
export const jsonText = (value: unknown): string =>
  Array.from(jsonForPeople(value), (sign) =>
    sign === '\n' || visible(sign) === sign ? sign : escaped(sign),
  ).join('')

const escaped = (sign: string): string =>
  sign
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
