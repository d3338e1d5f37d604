import { isObject } from '../../lib/objects.ts'

/** Several ways to say the same: `anyOf: [X, null]` and `type: [X, "null"]` are X, and a list of choices is text. */
export function withOneType(property: unknown): unknown {
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
