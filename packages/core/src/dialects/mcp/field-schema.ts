import * as v from 'valibot'
import { isObject } from '../../lib/objects.ts'
import { mapOf } from '../../lib/schema.ts'

/** What may be left out, also as `null`: ACP and several generators of schemas write that. */
const absent = <T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T | undefined> =>
  v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  )
/** Texts and defaults of a wrong type are as good as absent, as in ACP. They change no answer. */
const lenient = <T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T | undefined> =>
  v.fallback(absent(schema), undefined)

interface Words {
  title?: string | undefined
  description?: string | undefined
}

/** A choice as it is written. */
export interface TitledOption extends Words {
  const: string
  _meta?:
    | { [CLAUDE_META]?: { description?: string | undefined; preview?: string | undefined } | undefined }
    | undefined
}

interface Numeric {
  minimum?: number | undefined
  maximum?: number | undefined
  default?: number | undefined
}

/** A field as it is written. */
export type FieldSchema = Words &
  (
    | {
        type: 'string'
        format?: string | undefined
        minLength?: number | undefined
        maxLength?: number | undefined
        enum?: string[] | undefined
        enumNames?: string[] | undefined
        oneOf?: TitledOption[] | undefined
        default?: string | undefined
      }
    | ({ type: 'number' | 'integer' } & Numeric)
    | { type: 'boolean'; default?: boolean | undefined }
    | {
        type: 'array'
        items: { enum: string[] } | { anyOf: TitledOption[] } | { oneOf: TitledOption[] }
        minItems?: number | undefined
        maxItems?: number | undefined
        default?: string[] | undefined
      }
  )

const whole = v.pipe(v.number(), v.integer(), v.minValue(0, 'a whole number, not negative'))
const NO_CHOICE = 'at least one choice'
const plain = v.pipe(v.array(v.string()), v.minLength(1, NO_CHOICE))

const words = { title: lenient(v.string()), description: lenient(v.string()) }

/** Where the ACP adapter of Claude Code writes what ACP itself had no place for. */
const CLAUDE_META = '_claude/askUserQuestionOption'
const details = v.object({ description: lenient(v.string()), preview: lenient(v.string()) })
const titledOption = v.object({
  const: v.string(),
  ...words,
  _meta: lenient(v.object({ [CLAUDE_META]: lenient(details) })),
})
const titled = v.pipe(v.array(titledOption), v.minLength(1, NO_CHOICE))

/** The words of an option. With a description of its own, the title of that adapter has it a second time. */
export function wordsOf({
  const: value,
  title,
  description,
  _meta,
}: TitledOption): Words & { title: string; preview?: string | undefined } {
  const more = _meta?.[CLAUDE_META]
  return {
    title: more?.description === undefined ? (title ?? value) : value,
    description: more?.description ?? description,
    preview: more?.preview,
  }
}

const numeric = {
  ...words,
  minimum: absent(v.number()),
  maximum: absent(v.number()),
  default: lenient(v.number()),
}

const kindSchema: v.GenericSchema<unknown, FieldSchema> = v.variant('type', [
  v.object({
    type: v.literal('string'),
    ...words,
    format: absent(v.string()),
    minLength: absent(whole),
    maxLength: absent(whole),
    enum: absent(plain),
    enumNames: absent(v.array(v.string())),
    oneOf: absent(titled),
    default: lenient(v.string()),
  }),
  v.object({ type: v.literal('number'), ...numeric }),
  v.object({ type: v.literal('integer'), ...numeric }),
  v.object({ type: v.literal('boolean'), ...words, default: lenient(v.boolean()) }),
  v.object({
    type: v.literal('array'),
    ...words,
    items: v.union(
      [v.object({ enum: plain }), v.object({ anyOf: titled }), v.object({ oneOf: titled })],
      'choices: {enum: string[]} or {anyOf: {const, title}[]}',
    ),
    minItems: absent(whole),
    maxItems: absent(whole),
    default: lenient(v.array(v.string())),
  }),
])

const fieldSchema: v.GenericSchema<unknown, FieldSchema> = v.pipe(
  v.unknown(),
  v.transform(withOneType),
  kindSchema,
)

/** Several ways to say the same: `anyOf: [X, null]` and `type: [X, "null"]` are X, and a list of choices is text. */
function withOneType(property: unknown): unknown {
  if (!isObject(property)) return property
  const { anyOf, ...rest } = property
  if (Array.isArray(anyOf) && rest.type === undefined) {
    const [only, ...others] = anyOf.filter((each) => !isNull(each))
    if (others.length === 0 && isObject(only) && !Object.hasOwn(only, 'const'))
      return withOneType({ ...only, ...rest })
    return withOneType({ ...rest, oneOf: anyOf })
  }
  const { type, oneOf } = property
  const types = [type].flat().filter((each) => each !== 'null')
  return {
    ...property,
    type: types.length === 1 && types[0] !== undefined ? types[0] : hasChoices(property) ? 'string' : type,
    ...(Array.isArray(property.enum) && { enum: property.enum.filter((each) => each !== null) }),
    ...(Array.isArray(oneOf) && { oneOf: oneOf.filter((each) => !isNull(each)) }),
  }
}

const isNull = (schema: unknown): boolean =>
  isObject(schema) && (schema.type === 'null' || schema.const === null)

const hasChoices = (property: Readonly<Record<string, unknown>>): boolean =>
  property.type == null && (Array.isArray(property.oneOf) || Array.isArray(property.enum))

interface WrittenForm {
  message: string
  requestedSchema: { properties: Record<string, FieldSchema>; required?: string[] | undefined }
}

export const formSchema: v.GenericSchema<unknown, WrittenForm> = v.object({
  mode: absent(v.literal('form')),
  message: v.string(),
  requestedSchema: v.object({
    // ACP: an object where it is not said.
    type: v.fallback(v.literal('object'), 'object'),
    properties: v.optional(mapOf<FieldSchema>(fieldSchema), {}),
    required: absent(v.array(v.string())),
  }),
})

export const pageSchema: v.GenericSchema<unknown, { mode: 'url'; message: string; url: string }> = v.object({
  mode: v.literal('url'),
  message: v.string(),
  url: v.string(),
})
