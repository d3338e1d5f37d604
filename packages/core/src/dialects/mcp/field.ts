import * as v from 'valibot'
import { isObject } from '../../lib/objects.ts'
import { mapOf, parseWith } from '../../lib/schema.ts'

/** One field of a form that an MCP server sends, whatever of the schema's many ways it was written in. */
export type Field = FieldBase & (TextKind | NumberKind | BooleanKind | ChoiceKind | ChoicesKind)

interface FieldBase {
  /** Its key in the content of the result. */
  name: string
  title?: string | undefined
  description?: string | undefined
  required: boolean
}

interface TextKind {
  kind: 'text'
  format?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  default?: string | undefined
}

interface NumberKind {
  kind: 'number' | 'integer'
  minimum?: number | undefined
  maximum?: number | undefined
  default?: number | undefined
}

interface BooleanKind {
  kind: 'boolean'
  default?: boolean | undefined
}

interface ChoiceKind {
  kind: 'choice'
  options: FieldOption[]
  default?: string | undefined
  /** The text field beside it that takes an answer in own words. */
  custom?: Field & TextKind
}

interface ChoicesKind {
  kind: 'choices'
  options: FieldOption[]
  minItems?: number | undefined
  maxItems?: number | undefined
  default?: string[] | undefined
  custom?: Field & TextKind
}

interface FieldOption {
  value: string
  /** Distinct within its field, and never blank. */
  label: string
}

const whole = v.pipe(v.number(), v.integer(), v.minValue(0, 'a whole number, not negative'))
const NO_CHOICE = 'at least one choice'
const plain = v.pipe(v.array(v.string()), v.minLength(1, NO_CHOICE))
const titled = v.pipe(
  v.array(v.object({ const: v.string(), title: v.exactOptional(v.string()) })),
  v.minLength(1, NO_CHOICE),
)

const words = { title: v.exactOptional(v.string()), description: v.exactOptional(v.string()) }
const numeric = {
  ...words,
  minimum: v.exactOptional(v.number()),
  maximum: v.exactOptional(v.number()),
  default: v.exactOptional(v.number()),
}

const fieldSchema = v.variant('type', [
  v.object({
    type: v.literal('string'),
    ...words,
    format: v.exactOptional(v.string()),
    minLength: v.exactOptional(whole),
    maxLength: v.exactOptional(whole),
    enum: v.exactOptional(plain),
    enumNames: v.exactOptional(v.array(v.string())),
    oneOf: v.exactOptional(titled),
    default: v.exactOptional(v.string()),
  }),
  v.object({ type: v.literal('number'), ...numeric }),
  v.object({ type: v.literal('integer'), ...numeric }),
  v.object({ type: v.literal('boolean'), ...words, default: v.exactOptional(v.boolean()) }),
  v.object({
    type: v.literal('array'),
    ...words,
    items: v.union(
      [v.object({ enum: plain }), v.object({ anyOf: titled }), v.object({ oneOf: titled })],
      'choices: {enum: string[]} or {anyOf: {const, title}[]}',
    ),
    minItems: v.exactOptional(whole),
    maxItems: v.exactOptional(whole),
    default: v.exactOptional(v.array(v.string())),
  }),
])

type FieldSchema = v.InferOutput<typeof fieldSchema>

const formSchema = v.object({
  mode: v.exactOptional(v.literal('form')),
  message: v.string(),
  requestedSchema: v.object({
    type: v.literal('object'),
    properties: mapOf<FieldSchema>(fieldSchema),
    required: v.exactOptional(v.array(v.string())),
  }),
})

const pageSchema = v.object({ mode: v.literal('url'), message: v.string(), url: v.string() })

/** An elicitation as read: a form with its fields, or a page that the person is asked to open. */
export type Elicitation =
  | { mode: 'form'; message: string; fields: Field[] }
  | { mode: 'url'; message: string; url: string }

/**
 * Reads the `params` of an `elicitation/create` request.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseElicitation(params: unknown): Elicitation {
  const what = 'This is no elicitation'
  if (isObject(params) && params.mode === 'url')
    return parseWith(pageSchema, params, 'INVALID_QUESTIONS', what)
  const { message, requestedSchema } = parseWith(formSchema, params, 'INVALID_QUESTIONS', what)
  const { properties, required = [] } = requestedSchema
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    title: schema.title,
    description: schema.description,
    required: required.includes(name),
    ...kindOf(schema),
  }))
  return { mode: 'form', message, fields: joinCustom(fields) }
}

function kindOf(schema: FieldSchema): TextKind | NumberKind | BooleanKind | ChoiceKind | ChoicesKind {
  if (schema.type === 'boolean') return { kind: 'boolean', default: schema.default }
  if (schema.type === 'array') {
    const { items, minItems, maxItems } = schema
    const options =
      'enum' in items ? optionsOf(items.enum) : titledOptions('anyOf' in items ? items.anyOf : items.oneOf)
    return { kind: 'choices', options, minItems, maxItems, default: schema.default }
  }
  if (schema.type !== 'string') {
    const { type, minimum, maximum } = schema
    return { kind: type, minimum, maximum, default: schema.default }
  }
  if (schema.oneOf) return { kind: 'choice', options: titledOptions(schema.oneOf), default: schema.default }
  if (schema.enum)
    return { kind: 'choice', options: optionsOf(schema.enum, schema.enumNames), default: schema.default }
  const { format, minLength, maxLength } = schema
  return { kind: 'text', format, minLength, maxLength, default: schema.default }
}

const titledOptions = (entries: { const: string; title?: string }[]): FieldOption[] =>
  optionsOf(
    entries.map((entry) => entry.const),
    entries.map((entry) => entry.title ?? entry.const),
  )

/** The options with labels that can be told apart; a value that is there twice counts once. */
function optionsOf(values: string[], titles: string[] = values): FieldOption[] {
  const labels = new Set<string>()
  return [...new Set(values)].map((value) => {
    const title = titles[values.indexOf(value)] ?? value
    let label = title.trim() === '' ? value.trim() || '(empty)' : title
    while (labels.has(label)) label += ` (${value})`
    labels.add(label)
    return { value, label }
  })
}

/** Ours count from 1, those of the ACP adapter of Claude Code from 0. */
const OWN_CHOICE = /^question_(0|[1-9]\d*)$/
/** The name of the field beside a choice that takes an answer in own words, see `formatRequest`. */
export const customName = (name: string): string => `${name}_custom`

/** Puts the text field that our own forms have beside a choice into the choice, so that it is one question again. */
function joinCustom(fields: Field[]): Field[] {
  const customs = new Map(
    fields.flatMap((field) =>
      field.kind === 'text' && !field.required ? [[field.name, field] as const] : [],
    ),
  )
  const taken = new Set<string>()
  const joined = fields.map((field) => {
    const custom = OWN_CHOICE.test(field.name) ? customs.get(customName(field.name)) : undefined
    if (!custom || (field.kind !== 'choice' && field.kind !== 'choices')) return field
    taken.add(custom.name)
    return { ...field, custom }
  })
  return joined.filter(({ name }) => !taken.has(name))
}
