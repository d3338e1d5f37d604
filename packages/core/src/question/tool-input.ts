import * as v from 'valibot'
import { isDeeperThan, isObject } from '../lib/objects.ts'
import { MAX_INPUT_DEPTH, MAX_SCHEMA_CHARS } from './limits.ts'

/** The input of any tool. A program can read JSON that is nested too deeply for it to write again. */
export const toolInputSchema: v.GenericSchema<unknown, unknown> = v.pipe(
  v.unknown(),
  v.check((input) => !isDeeperThan(MAX_INPUT_DEPTH, input), `values nested at most ${MAX_INPUT_DEPTH} deep`),
)

/** A JSON Schema. It is a help for forms, and nobody runs it: its content is not checked. */
export const foreignSchema: v.GenericSchema<Record<string, unknown>> = v.pipe(
  v.custom<Record<string, unknown>>(isObject, 'an object'),
  v.metadata({ type: 'object' }),
  v.check(
    isShortSchema,
    `a JSON Schema of at most ${MAX_SCHEMA_CHARS} characters, nested at most ${MAX_INPUT_DEPTH} deep`,
  ),
)

/** Whether a JSON Schema is short enough to go with a question. */
export function isShortSchema(schema: Record<string, unknown>): boolean {
  return !isDeeperThan(MAX_INPUT_DEPTH, schema) && JSON.stringify(schema).length <= MAX_SCHEMA_CHARS
}
