import { isObject } from '../../lib/objects.ts'
import { parseWith } from '../../lib/schema.ts'
import { type FieldSchema, formSchema, pageSchema, type TitledOption, wordsOf } from './field-schema.ts'

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
  description?: string | undefined
  preview?: string | undefined
}

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

const titledOptions = (entries: readonly TitledOption[]): FieldOption[] => {
  const words = entries.map(wordsOf)
  const values = entries.map((entry) => entry.const)
  return optionsOf(
    values,
    words.map(({ title }) => title),
  ).map((option) => {
    const { description, preview } = words[values.indexOf(option.value)] ?? {}
    return {
      ...option,
      ...(description?.trim() && { description }),
      ...(preview?.trim() && { preview }),
    }
  })
}

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
