import * as v from 'valibot'
import { filledText } from '../../lib/schema.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import { type AskedQuestion, allowsFreeText, type Question } from '../../question/question.ts'
import { listWithin, readRequest, withoutSecrets } from '../dialect.ts'

/** What the tool of Codex' model takes. What its app server sends is read whatever its number. */
export const LIMITS = { questions: [1, 3], options: [2, 3] } as const

export interface CodexQuestion {
  id: string
  header: string
  question: string
  /** Whether the person may answer in their own words. */
  isOther: boolean
  isSecret: boolean
  options: { label: string; description: string }[] | null
}

/** The questions in the `params` of `item/tool/requestUserInput` of Codex' app server. */
export interface CodexRequest {
  questions: CodexQuestion[]
}

const optionSchema = v.object({ label: filledText, description: v.nullish(v.string(), '') })
const questionSchema = v.object({
  id: filledText,
  header: v.nullish(v.string(), ''),
  question: v.string(),
  isOther: v.nullish(v.boolean(), false),
  isSecret: v.nullish(v.boolean(), false),
  options: v.nullish(v.array(optionSchema)),
})
const requestSchema = v.object({
  questions: v.pipe(v.array(questionSchema), v.minLength(1, 'at least one question')),
})

/**
 * Reads the `params` of `item/tool/requestUserInput`.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(input: unknown): AskedQuestion[] {
  const { questions } = readRequest(requestSchema, input)
  return parseQuestions(
    questions.map(({ id, header, question, isOther, isSecret, options }): Question => {
      const [first] = options ?? []
      const title = header.trim() === '' ? {} : { header }
      const text = question.trim() || header.trim() || id
      if (isSecret) return { id, question: text, ...title, secret: true }
      if (!options || !first) return { id, question: text, ...title }
      return { id, question: text, ...title, options: distinct(options), allowFreeText: isOther }
    }),
  )
}

/** An option that is there twice counts once. */
const distinct = (options: v.InferOutput<typeof optionSchema>[]): NonNullable<Question['options']> =>
  [...new Map(options.map((option) => [option.label, option])).values()].map(({ label, description }) => ({
    label,
    ...(description.trim() !== '' && { description }),
  }))

const messageSchema = v.object({
  questions: v.array(v.object({ title: filledText, options: v.nullish(v.array(filledText)) })),
})

/**
 * Reads the questions of a message of Codex that waits for nothing (`request_user_input_async`). They have no ids, so the
 * answer goes back as text.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseMessage(item: unknown): AskedQuestion[] {
  const { questions } = readRequest(messageSchema, item)
  return parseQuestions(
    questions.map(({ title, options }) => ({
      question: title,
      ...(options && options.length > 0 && { options: distinct(options.map(toOption)) }),
    })),
  )
}

const toOption = (label: string) => ({ label, description: '' })

const writtenSchema = v.object({
  questions: listWithin(
    v.object({
      question: v.object({
        options: v.optional(listWithin(v.unknown(), LIMITS.options, 'options')),
        multiSelect: v.optional(v.literal(false, 'one choice: Codex has no several ones')),
      }),
    }),
    LIMITS.questions,
    'questions',
  ),
})

/**
 * Writes questions as Codex' app server sends them.
 *
 * @throws AskError `INVALID_QUESTIONS` for what is beyond its limits, such as several choices.
 */
export function formatRequest(questions: readonly Question[]): CodexRequest {
  const asked = parseQuestions(withoutSecrets(questions))
  readRequest(writtenSchema, { questions: asked.map((question) => ({ question })) })
  return {
    questions: asked.map((question) => ({
      id: question.id,
      header: question.header ?? '',
      question: question.question,
      isOther: allowsFreeText(question),
      isSecret: false,
      options: question.options?.map(({ label, description = '' }) => ({ label, description })) ?? null,
    })),
  }
}
