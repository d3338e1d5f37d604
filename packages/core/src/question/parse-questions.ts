import * as v from 'valibot'
import { type KnownKeys, unknownKeys } from '../lib/check-options.ts'
import { type Fault, invalid } from '../lib/errors.ts'
import { filledText, listOf, parseWith } from '../lib/schema.ts'
import { ATTACHMENT_LIMITS, QUESTION_LIMITS } from './limits.ts'
import {
  type AskedQuestion,
  allowsFreeText,
  findOption,
  optionValue,
  type Question,
  withIds,
} from './question.ts'
import { typedFault } from './typed/typed-fault.ts'
import { typedKindFault, typedSchema } from './typed/typed-schema.ts'

const unique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

const optionSchema = v.object({
  label: filledText,
  value: v.nullish(v.string()),
  description: v.nullish(v.string()),
  preview: v.nullish(v.string()),
  recommended: v.nullish(v.boolean()),
})

/** As `sealSecret` takes it. */
const secretSchema = v.union(
  [v.boolean(), v.object({ publicKey: v.pipe(v.string(), v.regex(/^[\w-]{87}$/)) })],
  'true, or a public key',
)

const upTo = (most: number) =>
  v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most, `at most ${most}`)))

const filesSchema = v.object({
  max: upTo(ATTACHMENT_LIMITS.files),
  maxBytes: upTo(ATTACHMENT_LIMITS.bytes),
  types: v.nullish(
    listOf(
      v.pipe(v.string(), v.regex(/^[a-z0-9][\w!#$&^.+-]*\/(?:\*|[a-z0-9][\w!#$&^.+-]*)$/, 'a media type')),
      20,
    ),
  ),
})

const questionObject = v.object({
  id: v.nullish(filledText),
  question: filledText,
  header: v.nullish(v.string()),
  options: v.nullish(
    listOf(optionSchema, QUESTION_LIMITS.options, `at most ${QUESTION_LIMITS.options} options`),
  ),
  textFormat: v.nullish(v.picklist(['markdown', 'plain'])),
  multiSelect: v.nullish(v.boolean()),
  allowFreeText: v.nullish(v.boolean()),
  typed: v.nullish(typedSchema),
  secret: v.nullish(secretSchema),
  files: v.nullish(filesSchema),
  placeholder: v.nullish(v.string()),
  required: v.nullish(v.boolean()),
  defaultOption: v.nullish(v.string()),
  defaultText: v.nullish(filledText),
})

const questionSchema = v.pipe(
  questionObject,
  v.transform(
    ({ secret, ...question }): Question =>
      withoutNulls(secret ? { ...question, secret, allowFreeText: false } : question),
  ),
  v.check(({ options = [] }) => unique(options.map(({ label }) => label)), 'options with distinct labels'),
  v.check(({ options = [] }) => unique(options.map(optionValue)), 'options with distinct values'),
  v.check(
    (q) => allowsFreeText(q) || q.secret !== undefined || !!q.files || (q.options?.length ?? 0) > 0,
    'options or files, because typed answers are not allowed',
  ),
  v.check((q) => !q.secret || (!q.options?.length && !q.files), 'no options and no files beside a secret'),
  v.check((q) => !q.typed || (allowsFreeText(q) && !q.options?.length), 'no options beside a typed kind'),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed && dataset.value.typed && typedKindFault(dataset.value.typed)
    if (fault) addIssue({ message: fault.expected, path: pathTo(dataset.value, 'typed', fault.path) })
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed && defaultFault(dataset.value)
    if (dataset.typed && fault) addIssue({ message: fault.expected, path: pathTo(dataset.value, fault.path) })
  }),
)

/** The questions of a call in tool inputs, files and requests. */
export const questionsSchema: v.GenericSchema<unknown, AskedQuestion[]> = v.pipe(
  listOf(questionSchema, QUESTION_LIMITS.questions, `at most ${QUESTION_LIMITS.questions} questions`),
  v.minLength(1, 'at least one question'),
  v.check(
    (questions) => unique(questions.flatMap(({ id }) => (id === undefined ? [] : [id]))),
    'questions with distinct ids',
  ),
  v.check(
    (questions) => JSON.stringify(questions).length <= QUESTION_LIMITS.totalChars,
    `questions of at most ${QUESTION_LIMITS.totalChars} characters together`,
  ),
  v.transform((questions) => withIds(questions)),
)

/**
 * Reads the questions of a tool call, a file or a request: an array of {@link Question}. Unknown keys are left
 * out, `null` counts as absent, nothing else is repaired.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export const parseQuestions = (input: unknown): AskedQuestion[] =>
  parseWith(questionsSchema, input, 'INVALID_QUESTIONS', 'These questions cannot be asked', 'questions')

/**
 * Refuses keys that no question has. Nobody but the author of a program has written its questions, so with such a key something
 * was meant that would not be asked.
 *
 * @param questions what {@link parseQuestions} takes
 * @throws AskError `INVALID_QUESTIONS` with every such key
 */
export function checkQuestionKeys(questions: unknown): void {
  const question = { ...keysOf(questionObject), options: { items: { properties: keysOf(optionSchema) } } }
  const known = { items: { properties: { ...question, files: { properties: keysOf(filesSchema) } } } }
  const faults = unknownKeys(known, questions, 'questions')
  if (faults.length > 0) throw invalid('INVALID_QUESTIONS', 'These questions cannot be asked', faults)
}

const keysOf = ({ entries }: { entries: object }): Record<string, KnownKeys> =>
  Object.fromEntries(Object.keys(entries).map((key) => [key, {}]))

/** What is wrong with a default, by its key. */
function defaultFault({ defaultOption, defaultText, ...question }: Question): Fault | null {
  const path = defaultText === undefined ? 'defaultOption' : 'defaultText'
  if (defaultOption === undefined && defaultText === undefined) return null
  if (question.secret) return { path, expected: 'no default: a secret has none' }
  if (defaultOption !== undefined && !findOption(question, defaultOption))
    return { path: 'defaultOption', expected: 'the value of one of the options' }
  if (defaultText === undefined) return null
  if (defaultOption !== undefined || !allowsFreeText(question))
    return { path, expected: 'a text that can be typed, or a defaultOption' }
  const expected = typedFault(question, defaultText)
  return expected === null ? null : { path, expected }
}

/** Where a fault is, for a question that was read whole. */
const pathTo = (question: Question, ...keys: string[]) =>
  keys.map((key) => ({ type: 'object', origin: 'value', input: question, key, value: undefined })) as never

/** Drops the keys that are `null` or `undefined`, at every depth of plain objects and arrays. */
const withoutNulls = (value: object): Question =>
  hasNulls(value) ? JSON.parse(JSON.stringify(value, (_, entry) => entry ?? undefined)) : (value as Question)

const hasNulls = (value: unknown): boolean =>
  value == null || (typeof value === 'object' && Object.values(value).some(hasNulls))
