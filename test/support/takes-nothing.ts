type Limit = number | null | undefined

/** A field of a form, as MCP and ACP write it. */
export interface LimitedField {
  type: string
  minimum?: Limit
  maximum?: Limit
  minLength?: Limit
  maxLength?: Limit
  minItems?: Limit
  maxItems?: Limit
  items?: { enum?: string[]; anyOf?: { const: string }[] }
}

const LEAST = Number.NEGATIVE_INFINITY
const MOST = Number.POSITIVE_INFINITY

/** Whether nothing fits a field, or no number that programs keep. */
export function takesNothing(field: LimitedField): boolean {
  const choices = new Set(field.items?.enum ?? field.items?.anyOf?.map((each) => each.const))
  switch (field.type) {
    case 'string':
      return Math.ceil(Math.max(1, field.minLength ?? 1)) > Math.floor(field.maxLength ?? MOST)
    case 'array':
      return (
        Math.ceil(Math.max(1, field.minItems ?? 1)) >
        Math.floor(Math.min(choices.size, field.maxItems ?? MOST))
      )
    case 'number':
      return (field.minimum ?? LEAST) > (field.maximum ?? MOST)
    case 'integer':
      return (
        Math.ceil(field.minimum ?? LEAST) > Math.floor(field.maximum ?? MOST) ||
        Math.abs(field.minimum ?? 0) > Number.MAX_SAFE_INTEGER
      )
    default:
      return false
  }
}
