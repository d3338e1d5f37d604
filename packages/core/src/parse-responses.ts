import * as v from 'valibot'
import type { Responses } from './response.ts'
import { mapOf } from './schema.ts'

const responseSchema = v.union(
  [
    v.object({ skipped: v.literal(true), notes: v.exactOptional(v.string()) }),
    v.object({
      selected: v.array(v.string()),
      freeText: v.exactOptional(v.string()),
      notes: v.exactOptional(v.string()),
      source: v.optional(v.picklist(['human', 'default']), 'human'),
    }),
  ],
  'a response: {selected: string[], freeText?, notes?} or {skipped: true}',
)

/** The shape of {@link Responses} in files and requests; whether they fit the questions is another matter. */
export const responsesSchema: v.GenericSchema<unknown, Responses> = mapOf(responseSchema)
