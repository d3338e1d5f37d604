import { AskError, parseJson, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import { hasFewMarks } from './json-marks.ts'
import { MAX_LINE_MARKS } from './limits.ts'

/** What a relay says first. */
export interface Hello {
  sandagent: 'relay'
  protocol: number
  /** The version of its package. */
  version: string
}

/** An error on its way. `system` is the system's code, such as `ENOENT`. */
export interface WireError {
  code?: string
  message: string
  facts?: Record<string, string | number | boolean>
  system?: string
}

/** From the host. `again` marks a request that an earlier relay may have carried out. */
export type ToRelay =
  | { id: number; call: string; args: unknown; again?: true }
  | { id: number; input: unknown }
  | { id: number; taken: number }
  | { id: number; cancel: true }
  | { ping: true }

/** From the relay. A request has any number of events, and then one value or error. */
export type FromRelay =
  | { id: number; event: unknown }
  | { id: number; value: unknown }
  | { id: number; error: WireError }
  | { pong: true }

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const size = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const helloSchema: v.GenericSchema<unknown, Hello> = v.object({
  sandagent: v.literal('relay'),
  protocol: size,
  version: v.pipe(v.string(), v.maxLength(100)),
})

export const errorSchema: v.GenericSchema<unknown, WireError> = v.object({
  code: v.exactOptional(v.string()),
  message: v.string(),
  facts: v.exactOptional(
    v.pipe(
      v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
      v.check((facts) => Object.keys(facts).length <= 20, 'at most 20 facts'),
    ),
  ),
  system: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
})

const toRelaySchema: v.GenericSchema<unknown, ToRelay> = v.union([
  v.object({ id, call: v.string(), args: v.unknown(), again: v.exactOptional(v.literal(true)) }),
  v.object({ id, taken: size }),
  v.object({ id, cancel: v.literal(true) }),
  v.object({ ping: v.literal(true) }),
  v.object({ id, input: v.unknown() }),
])

const fromRelaySchema: v.GenericSchema<unknown, FromRelay> = v.union([
  v.object({ id, error: errorSchema }),
  v.object({ pong: v.literal(true) }),
  v.object({ id, event: v.unknown() }),
  v.object({ id, value: v.unknown() }),
])

export const frameText = (frame: ToRelay | FromRelay | Hello): string => `${JSON.stringify(frame)}\n`

const parserOf =
  <T>(schema: v.GenericSchema<unknown, T>, what: string) =>
  (line: string): T =>
    parseWith(schema, parseJson(line, 'INVALID_REQUEST', what), 'INVALID_REQUEST', what)

/** @throws AskError `INVALID_REQUEST` */
export const parseToRelay: (line: string) => ToRelay = parserOf(toRelaySchema, 'This is no request')

const readFromRelay = parserOf(fromRelaySchema, 'This is no reply of a relay')

/** @throws AskError `INVALID_REQUEST` */
export function parseFromRelay(line: string): FromRelay {
  if (hasFewMarks(line, MAX_LINE_MARKS)) return readFromRelay(line)
  throw new AskError('INVALID_REQUEST', 'This reply of a relay has too many parts')
}

/** The hello in a line; `null` for anything else, such as a greeting at a login. */
export function helloIn(line: string): Hello | null {
  try {
    return v.parse(helloSchema, JSON.parse(line))
  } catch {
    return null
  }
}
