import * as v from 'valibot'
import { responsesSchema } from '../../answer/parse-responses.ts'
import { isoTime, listOf } from '../../lib/schema.ts'
import type { AuthoredDraft } from './author.ts'

/** The most drafts that are read. Fewer are written. */
const MOST = 100

const authoredDraftSchema = v.object({
  answeredBy: v.exactOptional(v.string()),
  browser: v.exactOptional(v.string()),
  responses: responsesSchema,
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  timestamp: isoTime,
})

/** The shape of `AnswerFile.otherDrafts`. */
export const otherDraftsSchema: v.GenericSchema<unknown, AuthoredDraft[]> = listOf(authoredDraftSchema, MOST)
