import { AskError } from '../../lib/errors.ts'
import { isObject } from '../../lib/objects.ts'
import { QUESTION_LIMITS } from '../../question/limits.ts'
import type { AskedQuestion } from '../../question/question.ts'
import { parseRequest as parseElicitation } from '../mcp/question.ts'
import { codeBlock, type Interrupt, messageOf } from './interrupt.ts'

type Schema = Record<string, unknown>

/** The schema of an answer as a form that the dialect of MCP reads. */
export interface ResponseForm {
  params: {
    mode: 'form'
    message: string
    requestedSchema: { type: 'object'; properties: Record<string, unknown>; required?: unknown }
  }
  /** The fields that are typed as JSON. */
  jsonFields: ReadonlySet<string>
  /** The payload is the value of this field, and not an object with it. */
  only?: string
}

/** The name of the field whose value is the whole payload. */
const VALUE = 'value'

/** The form of an interrupt, and its questions. @throws AskError `INVALID_QUESTIONS` for texts beyond the limits */
export function formOf(interrupt: Interrupt): { form: ResponseForm; questions: AskedQuestion[] } {
  const message = messageOf(interrupt)
  const schema = interrupt.responseSchema ?? (interrupt.reason === 'confirmation' ? { type: 'boolean' } : {})
  for (const form of [fieldsOf(schema, message), oneField(schema, message)]) {
    const questions = form && questionsOf(form.params)
    if (form && questions) return { form, questions }
  }
  const form = wholeOf(schema, message)
  return { form, questions: parseElicitation(form.params) }
}

/** An object with one field for each property; `null` for anything else. */
function fieldsOf(schema: Schema, message: string): ResponseForm | null {
  const { properties, required } = schema
  if (!isObject(properties)) return null
  const names = Object.keys(properties)
  if (names.length > QUESTION_LIMITS.questions || !areAmong(names, required)) return null
  const jsonFields = new Set<string>()
  const readable = Object.entries(properties).map(([name, property]): [string, unknown] => {
    if (isField(property)) return [name, property]
    jsonFields.add(name)
    return [name, jsonField(isObject(property) ? property : {}, name)]
  })
  const fields = Object.fromEntries(readable)
  return { params: paramsOf(message, fields, required), jsonFields }
}

/** Names that must be there and that no field has cannot be answered by a form. */
const areAmong = (names: readonly string[], required: unknown): boolean =>
  required == null || (Array.isArray(required) && required.every((name) => names.includes(name)))

/** One text, number, choice or yes-or-no; `null` for anything else. */
function oneField(schema: Schema, message: string): ResponseForm | null {
  const isOpen = Object.keys(schema).length === 0
  const field = isOpen ? { type: 'string' } : schema
  if (!isField(field)) return null
  const { description = message } = field as { description?: unknown }
  const params = paramsOf(message, { [VALUE]: { ...field, description } }, [VALUE])
  return { params, jsonFields: new Set(), only: VALUE }
}

/** Whatever fits the schema, typed as JSON. */
function wholeOf(schema: Schema, message: string): ResponseForm {
  const params = paramsOf(message, { [VALUE]: jsonField(schema, 'The answer') }, [VALUE])
  return { params, jsonFields: new Set([VALUE]), only: VALUE }
}

const paramsOf = (
  message: string,
  properties: Record<string, unknown>,
  required: unknown,
): ResponseForm['params'] => ({
  mode: 'form',
  message,
  requestedSchema: { type: 'object', properties, ...(required != null && { required }) },
})

const isField = (property: unknown): boolean =>
  isObject(property) && questionsOf(paramsOf('', { [VALUE]: property }, undefined)) !== null

/** How much of a schema a person reads. */
const MOST_SCHEMA_CHARS = 4000

/** A field that takes JSON, for what no form can ask. */
function jsonField(schema: Schema, name: string): Schema {
  const { title, description } = schema
  const said = [description, title, name].find((text) => typeof text === 'string' && text.trim() !== '')
  const shown = codeBlock(schema)
  const isShown = shown.length <= MOST_SCHEMA_CHARS
  const hint = isShown ? `Answer as JSON that fits this schema:\n\n${shown}` : 'Answer as JSON.'
  return { type: 'string', description: `${said ?? 'An answer'}\n\n${hint}` }
}

/** `null` for a form that cannot be asked. */
function questionsOf(params: ResponseForm['params']): AskedQuestion[] | null {
  try {
    return parseElicitation(params)
  } catch (error) {
    if (error instanceof AskError && error.code === 'INVALID_QUESTIONS') return null
    throw error
  }
}
