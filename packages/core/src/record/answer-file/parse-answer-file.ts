import * as v from 'valibot'
import { answerStatusSchema } from '../../answer/answer-status.ts'
import { responsesSchema } from '../../answer/parse-responses.ts'
import { readStoredForm } from '../../compat/stored-form.ts'
import { AskError } from '../../lib/errors.ts'
import { isObject } from '../../lib/objects.ts'
import { isoTime, listOf, mapOf, parseJson, parseWith } from '../../lib/schema.ts'
import { QUESTION_LIMITS } from '../../question/limits.ts'
import type { Question } from '../../question/question.ts'
import type { AuthoredDraft } from '../people/author.ts'
import { storedRuleSchema } from '../people/policy-rule-schema.ts'
import { votesSchema } from '../people/vote.ts'
import type { AnswerClaims, AnswerFile, BindingKey } from './answer-file.ts'

/** The most drafts that are read. Fewer are written. */
const MOST_DRAFTS = 100

/** The shape of `AnswerFile.otherDrafts`. */
export const otherDraftsSchema: v.GenericSchema<unknown, AuthoredDraft[]> = listOf(
  v.object({
    answeredBy: v.exactOptional(v.string()),
    browser: v.exactOptional(v.string()),
    responses: responsesSchema,
    revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
    timestamp: isoTime,
  }),
  MOST_DRAFTS,
)

/** What binds an answer to its question. */
const binding = {
  version: v.literal(1),
  toolCallId: v.string(),
  nonce: v.string(),
  questionDigest: v.string(),
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  responses: responsesSchema,
}

/** What was answered, by whom and when. */
const given = {
  status: answerStatusSchema,
  timestamp: isoTime,
  replaceable: v.exactOptional(v.literal(true)),
  answeredBy: v.exactOptional(v.string()),
  browser: v.exactOptional(v.string()),
  otherDrafts: v.exactOptional(otherDraftsSchema),
  rule: v.exactOptional(storedRuleSchema),
  votes: v.exactOptional(votesSchema),
  reason: v.exactOptional(v.string()),
  grant: v.exactOptional(v.object({ id: v.string(), covers: v.string() })),
  asksBack: v.exactOptional(v.literal(true)),
}

/** Older writers bind nothing. `Object.fromEntries` forgets which key has which schema. */
const optionalBinding = Object.fromEntries(
  Object.entries(binding).map(([key, schema]) => [key, v.exactOptional(schema as v.GenericSchema)]),
) as unknown as { [key in BindingKey]: v.ExactOptionalSchema<(typeof binding)[key], undefined> }

/** The shape of an answer file. */
export const answerFileSchema: v.GenericSchema<unknown, AnswerFile> = v.object({
  questions: listOf(
    v.pipe(
      v.custom<Question>((input) => typeof input === 'object' && input !== null, 'a question'),
      v.metadata({ type: 'object' }),
    ),
    QUESTION_LIMITS.questions,
  ),
  answers: mapOf(v.string()),
  ...given,
  ...optionalBinding,
  signature: v.exactOptional(v.string()),
})

const claimsSchema: v.GenericSchema<unknown, AnswerClaims> = v.object({
  ...given,
  ...binding,
  runId: v.string(),
})

const UPDATE = 'Update the host and the agent to the same version'

/**
 * Reads the text of an answer file: today's form, or the four keys of older writers.
 *
 * @throws AskError `INVALID_FILE` with every fault, also when the file is another tool call's; `UNREACHABLE` for a file of a
 *   later version, which may hold the answer
 */
export function parseAnswerFile(text: string, toolCallId?: string): AnswerFile {
  const what = 'This is no answer file'
  const file = readStoredForm(parseJson(text, 'INVALID_FILE', what))
  if (isObject(file) && typeof file.version === 'number' && file.version > 1)
    throw new AskError('UNREACHABLE', `A later version of SandAgent stored an answer here. ${UPDATE}`)
  const answerFile = parseWith(answerFileSchema, file, 'INVALID_FILE', what)
  if (toolCallId !== undefined && answerFile.toolCallId !== undefined && answerFile.toolCallId !== toolCallId)
    throw new AskError('INVALID_FILE', 'This answer file belongs to another tool call', {
      facts: { toolCallId: answerFile.toolCallId },
    })
  return answerFile
}

/** Reads claims out of a verified token. @throws AskError `INVALID_FILE` */
export const parseAnswerClaims = (payload: unknown): AnswerClaims =>
  parseWith(claimsSchema, payload, 'INVALID_FILE', 'This is no signed answer')
