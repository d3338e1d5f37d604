import { responsesSchema } from '../src/answer/parse-responses.ts'
import type { Responses } from '../src/internal.ts'
import { parseWith } from '../src/lib/schema.ts'

/** Reads responses as files and requests hold them. */
export const parseResponses = (input: unknown): Responses =>
  parseWith(responsesSchema, input, 'INVALID_ANSWERS', 'These responses cannot be read', 'responses')
