import * as v from 'valibot'
import { type AnswerTexts, decodeAnswers } from '../answer/answer-text.ts'
import { responsesSchema } from '../answer/parse-responses.ts'
import type { Responses } from '../answer/response.ts'
import { digestOf } from '../lib/digest.ts'
import { AskError } from '../lib/errors.ts'
import { isoTime, listOf, mapOf, parseJson, parseWith } from '../lib/schema.ts'
import { type AskedQuestion, QUESTION_LIMITS, type Question } from '../question/question.ts'
import { fromOlderFormat } from './older-format.ts'
import type { QuestionRecord } from './question-record.ts'

/** `pending` is a draft; the others are final. */
export type AnswerStatus = 'pending' | 'completed' | 'declined'

/**
 * The content of `.sandagent/approvals/NAME.json`, written by the host alone: the four keys of the SandAgent
 * document, and beside them what binds the answer to its question. Older writers give the four keys only.
 */
export interface AnswerFile {
  questions: Question[]
  /** Answers as text by question text, see `encodeAnswers`. */
  answers: AnswerTexts
  status: AnswerStatus
  /** ISO 8601: when it was written. */
  timestamp: string
  /**
   * `true` of a complete answer that came without a status: the next one replaces it until the runner has taken it. Its
   * status is `completed` all the same, so that older runners take it.
   */
  replaceable?: true
  version?: 1
  toolCallId?: string
  /** The nonce of the question that it answers. */
  nonce?: string
  /** What was asked, as the host found it when it was answered: see `questionDigestOf`. */
  questionDigest?: string
  /** Counts the writes for one question, from 1. */
  revision?: number
  /** The answers without loss, by question id. */
  responses?: Responses
  /** Who answered, as the host authenticated them. */
  answeredBy?: string
  /** Why the person declined, in their words. */
  reason?: string
  /** The host's signature: a JWT of `AnswerClaims`, for runners that were given the host's public keys. */
  signature?: string
}

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
  status: v.picklist(['pending', 'completed', 'declined']),
  timestamp: isoTime,
  replaceable: v.exactOptional(v.literal(true)),
  version: v.exactOptional(v.literal(1)),
  toolCallId: v.exactOptional(v.string()),
  nonce: v.exactOptional(v.string()),
  questionDigest: v.exactOptional(v.string()),
  revision: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  responses: v.exactOptional(responsesSchema),
  answeredBy: v.exactOptional(v.string()),
  reason: v.exactOptional(v.string()),
  signature: v.exactOptional(v.string()),
})

/**
 * Reads the text of an answer file: today's form, or the four keys of older writers.
 *
 * @throws AskError `INVALID_FILE` with every fault, also when the file is another tool call's.
 */
export function parseAnswerFile(text: string, toolCallId?: string): AnswerFile {
  const what = 'This is no answer file'
  const file = fromOlderFormat(parseJson(text, 'INVALID_FILE', what))
  const answerFile = parseWith(answerFileSchema, file, 'INVALID_FILE', what)
  if (toolCallId !== undefined && answerFile.toolCallId !== undefined && answerFile.toolCallId !== toolCallId)
    throw new AskError('INVALID_FILE', 'This answer file belongs to another tool call', {
      facts: { toolCallId: answerFile.toolCallId },
    })
  return answerFile
}

/** The responses of an answer file to the questions as recorded; those of an older writer are read from its text. */
export const responsesOf = (answerFile: AnswerFile, questions: readonly AskedQuestion[]): Responses =>
  answerFile.responses ?? decodeAnswers(questions, answerFile.answers)

/**
 * Whether an answer file is for the question as it is asked now. One with another nonce was given to an earlier question
 * under the same id. Older writers know no nonce. Their answers count when they were stored after the question was asked;
 * but they permit no tool call, because nothing in them says which call was meant.
 */
export function isMeantFor(
  answerFile: AnswerFile,
  { nonce, kind, passedOver = [] }: Pick<QuestionRecord, 'nonce' | 'kind' | 'passedOver'>,
): boolean {
  if (answerFile.nonce !== undefined) return answerFile.nonce === nonce
  return kind !== 'approval' && (passedOver.length === 0 || !passedOver.includes(digestOf(answerFile)))
}

/** Whether it is an answer or a refusal, and no draft. */
export const isFinal = (answerFile: AnswerFile): boolean => answerFile.status !== 'pending'

/** Whether the next answer file may replace this one until the runner has taken it: a draft, or an answer without a status. */
export const mayChange = ({ status, replaceable }: AnswerFile): boolean =>
  status === 'pending' || replaceable === true
