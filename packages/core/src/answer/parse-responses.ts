import * as v from 'valibot'
import { isObject } from '../lib/objects.ts'
import { byOne, listOf, mapOf } from '../lib/schema.ts'
import { MAX_TYPED_CHARS, QUESTION_LIMITS } from '../question/limits.ts'
import { toolInputSchema } from '../question/tool-input.ts'
import { type Attachment, attachmentsSchema, placedFilesSchema } from './files/attachment.ts'
import type { QuestionResponse, Responses } from './response.ts'

function responseWith(
  files: v.GenericSchema<unknown, Attachment[]>,
): v.GenericSchema<unknown, QuestionResponse> {
  const answer = v.object({
    selected: listOf(v.string(), QUESTION_LIMITS.options),
    freeText: v.optional(v.string()),
    sealed: v.optional(v.pipe(v.string(), v.maxLength(MAX_TYPED_CHARS), v.regex(/^[\w-]+$/))),
    notes: v.optional(v.string()),
    input: v.exactOptional(toolInputSchema),
    files: v.optional(files),
    source: v.optional(v.picklist(['human', 'default']), 'human'),
  })
  const response = v.union(
    [v.object({ skipped: v.literal(true), notes: v.optional(v.string()) }), answer],
    'a response: {selected: string[], freeText?, sealed?, files?, notes?} or {skipped: true}',
  )
  // A union cannot say which part of an answer is wrong.
  return byOne(response, (input) => (isObject(input) && input.selected && !input.skipped ? answer : response))
}

/** The shape of {@link Responses} in files and requests. It does not check that they fit the questions. */
export const responsesSchema: v.GenericSchema<unknown, Responses> = mapOf(responseWith(attachmentsSchema))

/** The same as a runner tells them to its agent: files have a path. */
export const toldResponsesSchema: v.GenericSchema<unknown, Responses> = mapOf(responseWith(placedFilesSchema))
