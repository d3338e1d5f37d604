import * as v from 'valibot'
import { parseQuestions } from '../parse-questions.ts'
import type { AskedQuestion, Question } from '../question.ts'
import { filledText, parseWith } from '../schema.ts'

/** The input of Claude's tool, as a model sends it. */
export interface ClaudeRequest {
  questions: ClaudeQuestion[]
}

export interface ClaudeQuestion {
  /** Distinct within its call. */
  question: string
  header: string
  /** Two to four. */
  options: { label: string; description: string; preview?: string }[]
  multiSelect: boolean
}

const optionSchema = v.strictObject({
  label: filledText,
  description: v.string(),
  preview: v.exactOptional(v.string()),
})

const questionSchema = v.strictObject({
  question: filledText,
  header: v.string(),
  options: v.pipe(v.array(optionSchema), v.minLength(2, '2 to 4 options'), v.maxLength(4, '2 to 4 options')),
  multiSelect: v.optional(v.boolean(), false),
})

const requestSchema = v.strictObject({
  questions: v.pipe(
    v.array(questionSchema),
    v.minLength(1, '1 to 4 questions'),
    v.maxLength(4, '1 to 4 questions'),
    v.check(
      (questions) => new Set(questions.map(({ question }) => question)).size === questions.length,
      'questions with distinct texts',
    ),
  ),
  // Claude's schema shows the model the places for the answers, too. What a model fills in there nobody said.
  answers: v.optional(v.unknown()),
  annotations: v.optional(v.unknown()),
  metadata: v.optional(v.unknown()),
})

/**
 * Reads the input of Claude's tool, by the limits of its schema. `answers`, `annotations` and `metadata` are passed
 * over; an empty header or description counts as none.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(input: unknown): AskedQuestion[] {
  const { questions } = parseWith(
    requestSchema,
    input,
    'INVALID_QUESTIONS',
    'These questions cannot be asked',
  )
  return parseQuestions(
    questions.map(({ header, options, ...question }) => ({
      ...question,
      header: header || undefined,
      options: options.map(({ description, ...option }) => ({
        ...option,
        description: description || undefined,
      })),
    })),
  )
}

/**
 * Writes questions as the input of Claude's tool. It has no place for values, placeholders, defaults, optional
 * questions, and for options without a typed answer.
 *
 * @throws AskError `INVALID_QUESTIONS` for what is beyond its limits, such as a question without options.
 */
export function formatRequest(questions: readonly Question[]): ClaudeRequest {
  const request = { questions: questions.map(claudeQuestion) }
  parseRequest(request)
  return request
}

/** A question in Claude's shape, whatever its limits. */
export const claudeQuestion = ({
  question,
  header = '',
  options = [],
  multiSelect = false,
}: Question): ClaudeQuestion => ({
  question,
  header,
  options: options.map(({ label, description = '', preview }) => ({
    label,
    description,
    ...(preview !== undefined && { preview }),
  })),
  multiSelect,
})
