import fc from 'fast-check'

/** A JSON Schema, as far as the schemas of protocols go. */
interface Schema {
  $ref?: string
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  type?: string | string[]
  format?: string
  minimum?: number
  minItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
}

/**
 * Values that a JSON Schema of `$defs` describes. What it forbids by other words than these may come, too: filter by a
 * validator.
 */
export function fromSchema(defs: Readonly<Record<string, Schema>>, name: string): fc.Arbitrary<unknown> {
  const of = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    const { $ref, allOf = [], anyOf, oneOf, ...own } = schema
    const parts = [...allOf, ...($ref === undefined ? [] : [defs[$ref.slice('#/$defs/'.length)] as Schema])]
    const choices = anyOf ?? oneOf
    if (parts.length === 0 && !choices) return plain(own, depth)
    const arbitraries = [
      ...(Object.keys(own).some((key) => key !== 'description') ? [plain(own, depth)] : []),
      ...parts.map((part) => of(part, depth)),
      ...(choices ? [fc.oneof(...choices.map((choice) => of(choice, depth)))] : []),
    ]
    return fc
      .tuple(...arbitraries)
      .map((values) =>
        values.every((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
          ? Object.assign({}, ...values.toReversed())
          : values.at(-1),
      )
  }

  const plain = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    if ('const' in schema) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (Array.isArray(schema.type))
      return fc.oneof(...schema.type.map((type) => plain({ ...schema, type }, depth)))
    switch (schema.type) {
      case 'string':
        return schema.format === 'uri' ? fc.oneof(fc.webUrl(), fc.string()) : fc.string()
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -9, max: 9 })
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(of(schema.items ?? {}, depth + 1), { minLength: schema.minItems ?? 0, maxLength: 4 })
      case 'object':
        return object(schema, depth)
      default:
        return schema.properties ? object(schema, depth) : fc.jsonValue({ maxDepth: 2 })
    }
  }

  const object = (
    { properties = {}, required = [], additionalProperties }: Schema,
    depth: number,
  ): fc.Arbitrary<object> => {
    if (typeof additionalProperties === 'object' && Object.keys(properties).length === 0)
      return fc.dictionary(fc.string(), of(additionalProperties, depth + 1), { maxKeys: 4 })
    const fields = Object.entries(properties).map(([key, field]) => [key, of(field, depth + 1)])
    return fc.record(Object.fromEntries(fields), { requiredKeys: required as never[] })
  }

  return of(defs[name] as Schema, 0).map((value) => JSON.parse(JSON.stringify(value)))
}
