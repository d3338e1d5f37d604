import type { Writable } from 'node:stream'
import { createWriter } from './writer.ts'

/** What terminals obey, or what turns text around. JSON leaves it as it is. */
const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** JSON that is safe in a terminal. */
export const safeJson = (json: string): string =>
  json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A value as one line of JSON that is safe in a terminal. */
export const jsonLine = (value: unknown): string => `${safeJson(JSON.stringify(value))}\n`

/** Writes JSON as `createWriter` does. A terminal obeys nothing of it. */
export function createJsonWriter(stream: Writable & { isTTY?: boolean }): (text: string) => Promise<void> {
  const write = createWriter(stream)
  return (text) => write(stream.isTTY ? safeJson(text) : text)
}
