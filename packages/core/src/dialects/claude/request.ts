import * as v from 'valibot'
import { pick } from '../../lib/objects.ts'
import { filledText } from '../../lib/schema.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import type { AskedQuestion, Question } from '../../question/question.ts'
import { type DialectLimits, listWithin, readRequest, withoutSecrets } from '../dialect.ts'

/** The input of Claude's tool, as a model sends it. */
export interface ClaudeRequest {
  questions: ClaudeQuestion[]
}

/** The limits of Claude's own schema. */
export const CLAUDE_LIMITS: DialectLimits = { questions: [1, 4], options: [2, 4] }

export interface ClaudeQuestion {
  /** Distinct within its call. */
  question: string
  header: string
  /** See {@link CLAUDE_LIMITS}. */
  options: { label: string; description: string; preview?: string }[]
  multiSelect: boolean
}

const words = v.exactOptional(v.string())
const shared = { question: filledText, header: v.string(), description: words }
const noOptions = {
  options: v.exactOptional(v.pipe(v.array(v.unknown()), v.maxLength(0, 'no options'))),
  multiSelect: v.exactOptional(v.literal(false)),
}

const optionSchema = v.strictObject({ label: filledText, description: words, preview: words })

const choiceSchema = v.strictObject({
  ...shared,
  kind: v.exactOptional(v.literal('choice')),
  options: listWithin(optionSchema, CLAUDE_LIMITS.options, 'options'),
  multiSelect: v.optional(v.boolean(), false),
})

const textSchema = v.strictObject({
  ...shared,
  ...noOptions,
  kind: v.literal('text'),
  placeholder: words,
})

const numberSchema = v.pipe(
  v.strictObject({
    ...shared,
    ...noOptions,
    kind: v.literal('number'),
    min: v.number(),
    max: v.number(),
    step: v.exactOptional(v.number()),
    defaultValue: v.exactOptional(v.number()),
    unit: words,
  }),
  v.check(({ min, max }) => min < max, 'a min below max'),
)

/** Some sessions of Claude Code let the model ask for words and numbers, too. */
const questionSchema = v.lazy((input) => {
  const { kind } = pick(input, 'string', ['kind'])
  return kind === 'text' ? textSchema : kind === 'number' ? numberSchema : choiceSchema
}) as v.GenericSchema<unknown, ParsedQuestion>

type ParsedQuestion =
  | v.InferOutput<typeof choiceSchema>
  | v.InferOutput<typeof textSchema>
  | v.InferOutput<typeof numberSchema>

const requestSchema = v.strictObject({
  questions: v.pipe(
    listWithin(questionSchema, CLAUDE_LIMITS.questions, 'questions'),
    v.check(
      (questions) => new Set(questions.map(({ question }) => question)).size === questions.length,
      'questions with distinct texts',
    ),
  ),
  title: words,
  // Claude's schema shows the model the places for the answers, too. What a model fills in there nobody said.
  answers: v.optional(v.unknown()),
  annotations: v.optional(v.unknown()),
  metadata: v.optional(v.unknown()),
})

/**
 * Reads the input of Claude's tool, by the limits of its schema, `kind: "text"` and `"number"` included. `answers`,
 * `annotations` and `metadata` are passed over; an empty header or description counts as none.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(input: unknown): AskedQuestion[] {
  const { questions } = readRequest(requestSchema, input)
  return parseQuestions(questions.map(asQuestion))
}

/** The help beside a question is shown in the empty field. */
function asQuestion(asked: ParsedQuestion): Question {
  const { question, header, description } = asked
  const hint = (placeholder: string | undefined) => placeholder && { placeholder }
  const words = { question, ...(header && { header }) }
  if (asked.kind === 'text') return { ...words, ...hint(asked.placeholder || description) }
  if (asked.kind === 'number') {
    const { min, max, step, unit } = asked
    return {
      ...words,
      typed: { kind: 'number', min, max, ...(step && step > 0 && { step }), ...(unit?.trim() && { unit }) },
      ...hint(description),
    }
  }
  const options = asked.options.map(({ description, ...option }) => ({
    ...option,
    ...(description && { description }),
  }))
  return { ...words, options, multiSelect: asked.multiSelect, ...hint(description) }
}

/**
 * Writes questions as the input of Claude's tool. It has no place for values, placeholders, defaults, optional
 * questions, and for options without a typed answer.
 *
 * @throws AskError `INVALID_QUESTIONS` for what is beyond its limits, such as a question without options.
 */
export function formatRequest(questions: readonly Question[]): ClaudeRequest {
  const request = { questions: withoutSecrets(questions).map(claudeQuestion) }
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
