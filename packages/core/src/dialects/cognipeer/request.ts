import * as v from 'valibot'
import { invalid } from '../../lib/errors.ts'
import { filledText } from '../../lib/schema.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import { type AskedQuestion, allowsFreeText, type Question } from '../../question/question.ts'
import { type DialectLimits, listWithin, readRequest, withoutSecrets } from '../dialect.ts'

/** The limits of Cognipeer's own schema. */
export const COGNIPEER_LIMITS: DialectLimits = { questions: [1, 4], options: [2, 12] }

export interface CognipeerOption {
  label: string
  /** Default: the label. */
  value?: string | undefined
  description?: string | undefined
  preview?: string | undefined
}

/** A question of Cognipeer. Whether answers may be typed is decided per agent, not here. */
export interface CognipeerQuestion {
  question: string
  /** At most 40 characters. */
  header?: string | undefined
  /** See {@link COGNIPEER_LIMITS}. Needed where no answer may be typed. */
  options?: CognipeerOption[] | undefined
  /** Default false. */
  multiSelect?: boolean | undefined
  placeholder?: string | undefined
  /** Default true. */
  required?: boolean | undefined
}

/** The input of Cognipeer's tool: one to four questions. */
export interface CognipeerRequest {
  questions: CognipeerQuestion[]
}

export interface CognipeerOptions {
  /** Whether answers may be typed: one setting for all questions of an agent. Default true. */
  allowFreeText?: boolean | undefined
}

const optional = <T>(schema: v.GenericSchema<T>) => v.optional(schema)

const questionSchema = v.strictObject({
  question: filledText,
  header: optional(v.pipe(v.string(), v.maxLength(40, 'at most 40 characters'))),
  options: optional(
    listWithin(
      v.strictObject({
        label: filledText,
        value: optional(filledText),
        description: optional(v.string()),
        preview: optional(v.string()),
      }),
      COGNIPEER_LIMITS.options,
      'options',
    ),
  ),
  multiSelect: optional(v.boolean()),
  placeholder: optional(v.string()),
  required: optional(v.boolean()),
})

const requestSchema = v.strictObject({
  questions: listWithin(questionSchema, COGNIPEER_LIMITS.questions, 'questions'),
})

/**
 * Reads the input of Cognipeer's tool; a key that its schema does not have is a fault.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(
  input: unknown,
  { allowFreeText = true }: CognipeerOptions = {},
): AskedQuestion[] {
  const { questions } = readRequest(requestSchema, input)
  return parseQuestions(allowFreeText ? questions : questions.map((each) => ({ ...each, allowFreeText })))
}

/**
 * Writes questions as the input of Cognipeer's tool. It has no place for defaults, and none for whether an answer may
 * be typed: see {@link freeTextOf}.
 *
 * @throws AskError `INVALID_QUESTIONS` for what is beyond its limits.
 */
export function formatRequest(questions: readonly Question[]): CognipeerRequest {
  const request = {
    questions: withoutSecrets(questions).map(
      ({ question, header, options, multiSelect, placeholder, required }): CognipeerQuestion => ({
        question,
        header,
        ...(options && { options: options.map(({ recommended: _, ...option }) => option) }),
        multiSelect,
        placeholder,
        required,
      }),
    ),
  }
  parseRequest(request, { allowFreeText: freeTextOf(questions) })
  return request
}

/**
 * Whether answers to these questions may be typed.
 *
 * @throws AskError `INVALID_QUESTIONS` where it is so for some of them only.
 */
export function freeTextOf(questions: readonly Question[]): boolean {
  const allowed = new Set(questions.map(allowsFreeText))
  if (allowed.size > 1)
    throw invalid('INVALID_QUESTIONS', 'These questions cannot be asked', [
      { path: 'questions', expected: 'typed answers to all questions, or to none' },
    ])
  return !allowed.has(false)
}
