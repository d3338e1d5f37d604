import { isObject, own } from '../../lib/objects.ts'
import type { Interrupt } from './interrupt.ts'

/** What the answer to an approval may have beside `approved`. */
interface ApprovalSchema {
  /** The schema of the input, if a person may edit it. */
  editedArgs?: Record<string, unknown>
}

/**
 * Reads an interrupt that asks whether a tool call may run, and nothing else; `null` for any other. A yes or no that needs more
 * fields is a form.
 */
export function approvalSchemaIn({ reason, responseSchema }: Interrupt): ApprovalSchema | null {
  if (reason !== 'tool_call') return null
  if (!responseSchema) return {}
  const { properties, required = [] } = responseSchema
  if (!isObject(properties)) return null
  const approved = own(properties, 'approved')
  const editedArgs = own(properties, 'editedArgs')
  const needsMore = !Array.isArray(required) || required.some((name) => name !== 'approved')
  if (!isObject(approved) || approved.type !== 'boolean' || needsMore) return null
  return isObject(editedArgs) ? { editedArgs } : {}
}
