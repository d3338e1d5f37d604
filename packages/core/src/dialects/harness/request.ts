import * as v from 'valibot'
import { filledText } from '../../lib/schema.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import type { AskedQuestion, Question } from '../../question/question.ts'
import { readRequest, withoutSecrets } from '../dialect.ts'

export interface HarnessQuestion {
  id: string
  question: string
  header?: string | undefined
  options?:
    | { id: string; label: string; description?: string | undefined; preview?: string | undefined }[]
    | undefined
  /** Default false. */
  allowMultiple?: boolean | undefined
  /** Default: only where there are no options. `{ secret: true }` is refused: answers are kept as text. */
  allowFreeForm?: boolean | { secret: boolean } | undefined
}

/** The input of the harness' `askUserQuestions`. */
export interface HarnessRequest {
  /** Whether a question may be left without an answer. */
  allowPartialAnswers: boolean
  questions: HarnessQuestion[]
}

const questionSchema = v.object({
  id: filledText,
  question: filledText,
  header: v.optional(v.string()),
  options: v.optional(
    v.array(
      v.object({
        id: filledText,
        label: filledText,
        description: v.optional(v.string()),
        preview: v.optional(v.string()),
      }),
    ),
  ),
  allowMultiple: v.optional(v.boolean()),
  allowFreeForm: v.optional(
    v.union(
      [v.boolean(), v.object({ secret: v.literal(false) })],
      'true, false or {"secret": false}: an answer would be kept as text, and so no secret',
    ),
  ),
})

const requestSchema = v.object({
  allowPartialAnswers: v.optional(v.boolean(), false),
  questions: v.pipe(v.array(questionSchema), v.minLength(1, 'at least one question')),
})

/**
 * Reads the input of `askUserQuestions`. Other keys are passed over.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(input: unknown): AskedQuestion[] {
  const { allowPartialAnswers, questions } = readRequest(requestSchema, input)
  return parseQuestions(
    questions.map(({ id, question, header, options = [], allowMultiple, allowFreeForm }) => ({
      id,
      question,
      header,
      options:
        options.length > 0 ? options.map(({ id: value, ...option }) => ({ ...option, value })) : undefined,
      multiSelect: allowMultiple,
      allowFreeText: options.length === 0 || (allowFreeForm ?? false) !== false,
      required: allowPartialAnswers ? false : undefined,
    })),
  )
}

/**
 * Writes questions as the input of `askUserQuestions`. It has no place for placeholders and defaults; where one
 * question is optional, all are.
 *
 * @throws AskError `INVALID_QUESTIONS` for what is beyond its limits, such as an option with an empty value.
 */
export function formatRequest(questions: readonly Question[]): HarnessRequest {
  const request = {
    allowPartialAnswers: questions.some(({ required = true }) => !required),
    questions: parseQuestions(withoutSecrets(questions)).map(
      ({ id, question, header, options, multiSelect, allowFreeText = true }): HarnessQuestion => ({
        id,
        question,
        header,
        ...(options && {
          options: options.map(({ value, recommended: _, ...option }) => ({
            id: value ?? option.label,
            ...option,
          })),
        }),
        allowMultiple: multiSelect,
        allowFreeForm: allowFreeText,
      }),
    ),
  }
  parseRequest(request)
  return request
}
