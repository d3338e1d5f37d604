import { AskError, parseJson, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import { hasFewMarks } from './json-marks.ts'
import { MAX_LINE_MARKS } from './limits.ts'
import { size } from './shapes.ts'

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const helloSchema = v.object({
  sandagent: v.literal('relay'),
  protocol: size,
  version: v.pipe(v.string(), v.maxLength(100)),
})
export type Hello = v.InferOutput<typeof helloSchema>

/** An error on its way. `system` is the system's code, such as `ENOENT`. */
export const errorSchema = v.object({
  code: v.optional(v.string()),
  message: v.string(),
  facts: v.optional(
    v.pipe(
      v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
      v.check((facts) => Object.keys(facts).length <= 20, 'at most 20 facts'),
    ),
  ),
  system: v.optional(v.pipe(v.string(), v.maxLength(100))),
})
export type WireError = v.InferOutput<typeof errorSchema>

/** From the host. `again` marks a request that an earlier relay may have carried out. */
const toRelaySchema = v.union([
  v.object({ id, call: v.string(), args: v.unknown(), again: v.optional(v.literal(true)) }),
  v.object({ id, taken: size }),
  v.object({ id, cancel: v.literal(true) }),
  v.object({ ping: v.literal(true) }),
  v.object({ id, input: v.unknown() }),
])
export type ToRelay = v.InferOutput<typeof toRelaySchema>

/** From the relay. A request has any number of events, and then one value or error. */
const fromRelaySchema = v.union([
  v.object({ id, error: errorSchema }),
  v.object({ pong: v.literal(true) }),
  v.object({ id, event: v.unknown() }),
  v.object({ id, value: v.unknown() }),
])
export type FromRelay = v.InferOutput<typeof fromRelaySchema>

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
