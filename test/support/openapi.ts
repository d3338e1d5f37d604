import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { root } from '../../scripts/run.mjs'

interface Reply {
  headers: Record<string, { required: boolean; schema: object }>
  content: Record<string, { schema: object }>
}

interface Description {
  paths: Record<string, Partial<Record<'get' | 'post', { responses: Record<string, Reply> }>>>
  components: { schemas: Record<string, { properties?: object; enum?: string[] }> }
}

/** How references between schemas begin. */
const SCHEMAS = '#/components/schemas/'

/** By what name the schemas are known to each other. */
const FILE = 'openapi.json'

type Json = Record<string, unknown>

/** The description of the answer API, with a copy in the place of each reference but those between schemas. */
function readDescription(): Description {
  const text = readFileSync(join(root, 'docs/reference/openapi.json'), 'utf8')
  const document = JSON.parse(text)
  const part = (ref: string): Json =>
    ref
      .split('/')
      .slice(1)
      .reduce((value, key) => value[key], document)
  const resolved = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(resolved)
    if ('$ref' in value) {
      const ref = String(value.$ref)
      return ref.startsWith(SCHEMAS) ? { ...value, $ref: FILE + ref } : resolved(part(ref))
    }
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolved(entry)]))
  }
  return resolved(document) as Description
}

export const description: Description = readDescription()

const validators = new Map<string, ValidateFunction>()
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false })

/** The faults of a value by a schema of the description. A key that the schema does not name is a fault, too. */
function faultsBy(schema: object, value: unknown): unknown[] {
  const text = JSON.stringify(schema)
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text, withoutOtherKeys))
  validators.set(text, validate)
  return validate(value) ? [] : (validate.errors ?? [])
}

const withoutOtherKeys = (_: string, value: Json | null): unknown =>
  value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value

ajv.addSchema(JSON.parse(JSON.stringify({ components: description.components }), withoutOtherKeys), FILE)

/** The faults of a value by a schema that the description names. */
export const faultsOf = (name: string, value: unknown): unknown[] =>
  faultsBy({ $ref: FILE + SCHEMAS + name }, value)

/** Each status of each method of a path, as `GET 200`. */
export const documented = (path: string): string[] =>
  Object.entries(description.paths[path] ?? {}).flatMap(([method, { responses }]) =>
    Object.keys(responses).map((status) => `${method.toUpperCase()} ${status}`),
  )

/** Expects that a response is as the description of a path says; resolves to its body. */
export async function expectDescribed(
  method: 'get' | 'post',
  response: Response,
  path = '/answer',
): Promise<Json> {
  const reply = description.paths[path]?.[method]?.responses[response.status]
  expect(reply, `${method} ${path} ${response.status} is described`).toBeDefined()
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  expect(Object.keys(reply?.content ?? {})).toContain(type)
  for (const [name, { schema }] of Object.entries(reply?.headers ?? {}))
    expect(faultsBy(schema, response.headers.get(name)), name).toEqual([])
  if (type !== 'application/json') return {}
  const body = (await response.json()) as Json
  expect(faultsBy(reply?.content[type]?.schema ?? {}, body)).toEqual([])
  return body
}
