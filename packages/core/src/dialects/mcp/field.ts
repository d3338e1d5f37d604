import * as v from 'valibot'
import { isObject } from '../../lib/objects.ts'
import { absent, lenient, mapOf, parseWith } from '../../lib/schema.ts'
import { withOneType } from './one-type.ts'

/** One field of a form that an MCP server sends, whatever of the schema's many ways it was written in. */
export type Field = Kind & {
  /** Its key in the content of the result. */
  name: string
  title?: string | undefined
  description?: string | undefined
  required: boolean
}

type Kind = TextKind | NumberKind | BooleanKind | ChoiceKind | ChoicesKind

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
  exclusiveMinimum?: number | undefined
  exclusiveMaximum?: number | undefined
  multipleOf?: number | undefined
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

interface ChoicesKind extends Pick<ChoiceKind, 'options' | 'custom'> {
  kind: 'choices'
  minItems?: number | undefined
  maxItems?: number | undefined
  default?: string[] | undefined
}

interface FieldOption {
  value: string
  /** Distinct within its field, and never blank. */
  label: string
  description?: string | undefined
  preview?: string | undefined
}

const choicesOf = <T>(entry: v.GenericSchema<unknown, T>) =>
  v.pipe(v.array(entry), v.minLength(1, 'at least one choice'))
const words = { title: lenient(v.string()), description: lenient(v.string()) }

/** Where the ACP adapter of Claude Code writes what ACP itself had no place for. */
export const CLAUDE_META = '_claude/askUserQuestionOption'
const details = v.object({ description: lenient(v.string()), preview: lenient(v.string()) })
const titledOption = v.object({
  const: v.string(),
  ...words,
  _meta: lenient(v.object({ [CLAUDE_META]: lenient(details) })),
})
const plain = choicesOf(v.string())
const titled = choicesOf(titledOption)

const numeric = {
  ...words,
  minimum: absent(v.number()),
  maximum: absent(v.number()),
  // MCP does not name them. Forms of AG-UI are any JSON Schema.
  exclusiveMinimum: lenient(v.number()),
  exclusiveMaximum: lenient(v.number()),
  multipleOf: lenient(v.number()),
  default: lenient(v.number()),
}

const fieldSchema = v.pipe(
  v.unknown(),
  v.transform(withOneType),
  v.variant('type', [
    v.object({
      type: v.literal('string'),
      ...words,
      format: absent(v.string()),
      minLength: absent(v.number()),
      maxLength: absent(v.number()),
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
      minItems: absent(v.number()),
      maxItems: absent(v.number()),
      default: lenient(v.array(v.string())),
    }),
  ]),
)

const formSchema = v.object({
  mode: absent(v.literal('form')),
  message: v.string(),
  requestedSchema: v.object({
    // ACP: an object where it is not said.
    type: v.fallback(v.literal('object'), 'object'),
    properties: v.optional(mapOf<v.InferOutput<typeof fieldSchema>>(fieldSchema), {}),
    required: absent(v.array(v.string())),
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

function kindOf(schema: v.InferOutput<typeof fieldSchema>): Kind {
  switch (schema.type) {
    case 'boolean':
      return { kind: 'boolean', default: schema.default }
    case 'array': {
      const { items, minItems, maxItems } = schema
      const options =
        'enum' in items ? optionsOf(items.enum) : titledOptions('anyOf' in items ? items.anyOf : items.oneOf)
      return { kind: 'choices', options, minItems, maxItems, default: schema.default }
    }
    case 'string': {
      const { oneOf, enum: values, enumNames, format, minLength, maxLength } = schema
      const options = oneOf ? titledOptions(oneOf) : values && optionsOf(values, enumNames)
      return options
        ? { kind: 'choice', options, default: schema.default }
        : { kind: 'text', format, minLength, maxLength, default: schema.default }
    }
    default: {
      const { type, title: _, description: __, ...limits } = schema
      return { kind: type, ...limits }
    }
  }
}

type TitledOption = v.InferOutput<typeof titledOption>

const titledOptions = (entries: readonly TitledOption[]): FieldOption[] => {
  const values = entries.map((entry) => entry.const)
  return optionsOf(values, entries.map(titleOf)).map((option) => {
    const { description: said, _meta } = entries[values.indexOf(option.value)] as TitledOption
    const { description = said, preview } = _meta?.[CLAUDE_META] ?? {}
    return {
      ...option,
      ...(description?.trim() && { description }),
      ...(preview?.trim() && { preview }),
    }
  })
}

/** With a description of its own, the title of Claude Code's adapter has it a second time. */
const titleOf = ({ const: value, title = value, _meta }: TitledOption): string =>
  _meta?.[CLAUDE_META]?.description === undefined ? title : value

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
