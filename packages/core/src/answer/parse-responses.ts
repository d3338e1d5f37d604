import * as v from 'valibot'
import { listOf, mapOf } from '../lib/schema.ts'
import { MAX_TYPED_CHARS, QUESTION_LIMITS } from '../question/limits.ts'
import { toolInputSchema } from '../question/tool-input.ts'
import { type Attachment, attachmentsSchema, placedFilesSchema } from './files/attachment.ts'
import type { Responses } from './response.ts'

const responseWith = (files: v.GenericSchema<unknown, Attachment[]>) =>
  v.union(
    [
      v.object({ skipped: v.literal(true), notes: v.optional(v.string()) }),
      v.object({
        selected: listOf(v.string(), QUESTION_LIMITS.options),
        freeText: v.optional(v.string()),
        sealed: v.optional(v.pipe(v.string(), v.maxLength(MAX_TYPED_CHARS), v.regex(/^[\w-]+$/))),
        notes: v.optional(v.string()),
        input: v.exactOptional(toolInputSchema),
        files: v.optional(files),
        source: v.optional(v.picklist(['human', 'default']), 'human'),
      }),
    ],
    'a response: {selected: string[], freeText?, sealed?, notes?} or {skipped: true}',
  )

/** The shape of {@link Responses} in files and requests. It does not check that they fit the questions. */
export const responsesSchema: v.GenericSchema<unknown, Responses> = mapOf(responseWith(attachmentsSchema))

/** The same as a runner tells them to its agent: files have a path. */
export const toldResponsesSchema: v.GenericSchema<unknown, Responses> = mapOf(responseWith(placedFilesSchema))
