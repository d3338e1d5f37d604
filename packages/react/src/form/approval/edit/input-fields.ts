import {
  isJson,
  isObject,
  jsonText,
  own,
  type TypedAnswer,
  typedFault,
  typedIn,
  visible,
} from '@sandagent/core/internal'
import type { TypedLabels } from '../../labels/typed-labels.ts'
import type { EditLabels } from './edit-labels.ts'

/** How a value is entered. `lines`: texts, one in each line. `json`: everything that has no better way. */
type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'lines' | 'json'

/** A value of an input, as a person edits it. */
export interface InputField {
  /** `null` for the whole input. */
  name: string | null
  kind: FieldKind
  /** What the tool's schema says of it: foreign words. */
  description: string
  /** Whether the value may be left out. */
  isOptional: boolean
  /** Whether the value is there. */
  isGiven: boolean
  /** The value as text; of a choice, its JSON. */
  text: string
  /** The JSON of each choice. */
  choices: readonly string[]
  /** The length that a value must have, as the schema says. */
  bounds: Bounds
  /** What a number, a day or an address must be, as the schema says: the field of a typed answer. */
  typed: TypedAnswer | undefined
}

type Labels = EditLabels & Pick<TypedLabels, 'misfit'>

interface Bounds {
  min?: number | undefined
  max?: number | undefined
}

/** More fields, or more choices, are one JSON text: a hostile schema could fill the page. */
const MOST_FIELDS = 50
const MOST_CHOICES = 100
const LONGEST_HINT = 300

type Schema = Readonly<Record<string, unknown>>

/**
 * The fields of an input: those that it has, and those that its schema names. A schema only says which field is nicer: what it
 * says wrongly, refers to or wants by a pattern has no effect.
 */
export function fieldsOf(input: unknown, schema: unknown, isWhole = false): InputField[] {
  const { properties, required } = schemaOf(schema)
  const known = schemaOf(properties)
  if (!isObject(input) || isWhole) return [fieldOf(null, input, isWhole ? {} : schemaOf(schema), !isWhole)]
  const names = [...new Set([...Object.keys(input), ...Object.keys(known)])]
  if (names.length > MOST_FIELDS) return [fieldOf(null, input, {}, false)]
  return names.map((name) => {
    // Without a schema nobody knows what may be left out: the whole input as JSON can do that.
    const isRequired = !Object.hasOwn(known, name) || (Array.isArray(required) && required.includes(name))
    const isGiven = Object.hasOwn(input, name)
    const field = fieldOf(name, input[name], schemaOf(own(known, name)), true, isGiven)
    return { ...field, isOptional: !isRequired, isGiven }
  })
}

const schemaOf = (schema: unknown): Schema => (isObject(schema) ? schema : {})

function fieldOf(
  name: string | null,
  value: unknown,
  schema: Schema,
  isTyped: boolean,
  isGiven = true,
): InputField {
  const choices = choicesIn(schema)
  const shown = isGiven ? value : emptyOf(schema, choices)
  const kind = isTyped ? kindOf(shown, choices) : 'json'
  const typed = typedFor(schema, kind)
  return {
    name,
    kind,
    description: typeof schema.description === 'string' ? schema.description.slice(0, LONGEST_HINT) : '',
    isOptional: false,
    isGiven,
    text: textOf(shown, kind),
    choices: kind === 'choice' ? choices : [],
    bounds: boundsIn(schema, kind),
    typed: typed?.kind === 'number' || !isGiven || fits(typed, shown) ? typed : undefined,
  }
}

/** A moment has a plain field: one of the browser shows it in another zone, and to the minute. */
function typedFor(schema: Schema, kind: FieldKind): TypedAnswer | undefined {
  const about = { name: '', required: true }
  const { type, format } = schema
  if (kind === 'number') {
    const limits = Object.entries(schema).filter(([, value]) => typeof value === 'number')
    const named = type === 'integer' ? type : 'number'
    return typedIn({ ...Object.fromEntries(limits), ...about, kind: named }) ?? { kind: 'number' }
  }
  if (kind !== 'text' || typeof format !== 'string' || format === 'date-time') return undefined
  return typedIn({ ...about, kind, format })
}

/** A field of the browser shows no text that is something else. */
const fits = (typed: TypedAnswer | undefined, text: unknown): boolean =>
  typeof text === 'string' && text.trim() === text && faultIn(typed, text) === null

/** Nothing is something else, too. */
const faultIn = (typed: TypedAnswer | undefined, text: string): string | null =>
  typedFault({ question: '', typed }, text.trim() || '…')

function choicesIn({ enum: values }: Schema): string[] {
  const isShort = Array.isArray(values) && values.length <= MOST_CHOICES
  return isShort && values.every((value) => typeof value !== 'object')
    ? values.map((value) => jsonText(value))
    : []
}

/** What stands in a field whose value is not there. */
function emptyOf({ type, items }: Schema, [first]: readonly string[]): unknown {
  if (first !== undefined) return JSON.parse(first)
  const named = Array.isArray(type) ? type.find((each) => each !== 'null') : type
  if (named === 'boolean') return false
  if (named === 'number' || named === 'integer') return 0
  if (named === 'object') return {}
  if (named === 'array') return schemaOf(items).type === 'string' ? [] : [null]
  return named === 'string' ? '' : null
}

function kindOf(value: unknown, choices: readonly string[]): FieldKind {
  if (choices.length > 0 && choices.includes(jsonText(value))) return 'choice'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'string') return isPlain(value) ? 'text' : 'json'
  const isLines =
    Array.isArray(value) && value.every((line) => typeof line === 'string' && isPlain(line, true))
  return isLines ? 'lines' : 'json'
}

/** Whether a text field shows a text as it is, and gives it back. */
const isPlain = (text: string, isLine = false): boolean =>
  visible(text) === text && !/\r/.test(text) && !(isLine && (text === '' || text.includes('\n')))

const textOf = (value: unknown, kind: FieldKind): string => {
  if (kind === 'text') return value as string
  return kind === 'lines' ? (value as string[]).join('\n') : jsonText(value)
}

function boundsIn(schema: Schema, kind: FieldKind): Bounds {
  const names = {
    text: ['minLength', 'maxLength'],
    lines: ['minItems', 'maxItems'],
  }
  const [min, max] = (names[kind as 'text'] ?? []).map((name) => {
    const bound = schema[name]
    return typeof bound === 'number' ? bound : undefined
  })
  return { min, max }
}

/** The value of a field, or what is wrong with what was entered. */
function valueIn(field: InputField, labels: Labels): { value: unknown } | { fault: string } {
  const { kind, text: entered, bounds, typed } = field
  const text = typed ? entered.trim() : entered
  const fault = faultIn(typed, text)
  if (typed && fault !== null) return { fault: labels.misfit(fault, typed) }
  switch (kind) {
    case 'text':
      return within(bounds, text.length, text, labels)
    case 'lines': {
      const lines = text === '' ? [] : text.split('\n')
      return within(bounds, lines.length, lines, labels)
    }
    case 'number':
      return { value: Number(text) }
    default:
      return jsonIn(text, labels)
  }
}

const within = (
  { min, max }: Bounds,
  size: number,
  value: unknown,
  labels: EditLabels,
): { value: unknown } | { fault: string } =>
  size >= (min ?? size) && size <= (max ?? size) ? { value } : { fault: labels.outOfBounds(min, max) }

function jsonIn(text: string, labels: EditLabels): { value: unknown } | { fault: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? { value } : { fault: labels.noJson('') }
  } catch (error) {
    return { fault: labels.noJson((error as Error).message) }
  }
}

/** The input that the fields make, or the faults by the positions of their fields. */
export function inputIn(
  fields: readonly InputField[],
  labels: Labels,
): { input: unknown } | { faults: ReadonlyMap<number, string> } {
  const faults = new Map<number, string>()
  const values = fields.flatMap((field, index): [string | null, unknown][] => {
    if (!field.isGiven) return []
    const read = valueIn(field, labels)
    if ('value' in read) return [[field.name, read.value]]
    faults.set(index, read.fault)
    return []
  })
  if (faults.size > 0) return { faults }
  const [first] = values
  // Not by assignment: that would give a field called `__proto__` another meaning.
  return { input: first && first[0] === null ? first[1] : Object.fromEntries(values) }
}
