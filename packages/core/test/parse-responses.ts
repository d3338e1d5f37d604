import type { Responses } from '../src/index.ts'
import { responsesSchema } from '../src/parse-responses.ts'
import { parseWith } from '../src/schema.ts'

/** Reads responses as files and requests hold them. */
export const parseResponses = (input: unknown): Responses =>
  parseWith(responsesSchema, input, 'INVALID_ANSWERS', 'These responses cannot be read', 'responses')
