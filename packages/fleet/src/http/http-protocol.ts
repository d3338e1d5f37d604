import { parseJson, parseWith, printableLine } from '@sandagent/core/internal'
import type { StoredQuestion } from '@sandagent/core/store'
import * as v from 'valibot'

/** The variable that tells a runner where it asks instead of in files. See `createHttpRunnerChannel`. */
export const CHANNEL_URL_VARIABLE = 'SANDAGENT_CHANNEL_URL'

/** The variable with the runner's token for that address. */
export const CHANNEL_TOKEN_VARIABLE = 'SANDAGENT_CHANNEL_TOKEN'

/** The response header with a token that replaces the runner's, before it expires. */
export const NEW_TOKEN_HEADER = 'sandagent-token'

/** The response header with the size of a whole file, in bytes, where the body is a piece of it. */
export const FILE_SIZE_HEADER = 'sandagent-file-size'

const storedText = v.nullable(v.object({ text: v.string(), version: v.string() }))

const questionSchema: v.GenericSchema<unknown, StoredQuestion> = v.object({
  toolCallId: v.string(),
  record: storedText,
  answer: storedText,
})

const parse = <T>(schema: v.GenericSchema<unknown, T>, text: string): T =>
  parseWith(schema, parseJson(text, 'UNREACHABLE', BROKEN), 'UNREACHABLE', BROKEN)

const BROKEN = 'The host sent something else than was asked'

export const parseQuestion = (text: string): StoredQuestion => parse(questionSchema, text)

export const parseQuestions = (text: string): StoredQuestion[] =>
  parse(v.object({ questions: v.array(questionSchema) }), text).questions

export const parseChanges = (text: string): StoredQuestion[] => parse(v.array(questionSchema), text)

const refusalSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ error: v.object({ message: v.string() }) }),
)

/** What the host says of a request that it refuses; `undefined` for the reply of something else, such as a proxy. */
export function parseRefusal(text: string): string | undefined {
  const { success, output } = v.safeParse(refusalSchema, text)
  return success ? printableLine(output.error.message) : undefined
}
