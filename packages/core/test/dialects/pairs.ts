import fc from 'fast-check'
import {
  type AskedQuestion,
  findOption,
  type Outcome,
  optionValue,
  parseQuestions,
  type Question,
  type QuestionOption,
  type QuestionResponse,
  type Responses,
  submittedKind,
  unansweredIds,
} from '../../src/internal.ts'
import { text } from '../arbitraries.ts'

/** What a system can hold of questions. */
export interface Limits {
  /** How many questions a call has at most. */
  questions: number
  /** How many options a question has, when it has any. */
  options: readonly [least: number, most: number]
  /** Whether every question needs options. */
  needsOptions?: boolean
  /** Whether no two questions may have the same text. */
  needsDistinctTexts?: boolean
  headerLength?: number
}

const words = (maxLength = 40): fc.Arbitrary<string> => fc.string({ maxLength })

/** Questions of all kinds within the limits of a system. */
export const questionsWithin = ({
  questions,
  options: [least, most],
  needsOptions = false,
  needsDistinctTexts = false,
  headerLength = 40,
}: Limits): fc.Arbitrary<AskedQuestion[]> => {
  const option: fc.Arbitrary<QuestionOption> = fc.record(
    { label: text, value: text, description: words(), preview: words(), recommended: fc.boolean() },
    { requiredKeys: ['label'] },
  )
  const options = fc
    .uniqueArray(option, { selector: ({ label }) => label, minLength: least, maxLength: most })
    .filter((list) => new Set(list.map(optionValue)).size === list.length)
  const question: fc.Arbitrary<Question> = fc
    .record(
      {
        question: fc.oneof(text, fc.constantFrom('Same text?', 'Same text? (2)')),
        header: words(headerLength),
        options,
        textFormat: fc.constantFrom('markdown', 'plain'),
        multiSelect: fc.boolean(),
        allowFreeText: fc.boolean(),
        placeholder: words(),
        required: fc.boolean(),
        defaultAt: fc.nat(),
      },
      { requiredKeys: needsOptions ? ['question', 'options'] : ['question'] },
    )
    .map(({ defaultAt, ...asked }) => {
      if (!asked.options) return { ...asked, allowFreeText: true }
      const option = defaultAt === undefined ? undefined : asked.options[defaultAt % asked.options.length]
      return option ? { ...asked, defaultOption: optionValue(option) } : asked
    })
  return fc
    .uniqueArray(question, {
      minLength: 1,
      maxLength: questions,
      comparator: (a, b) => needsDistinctTexts && a.question === b.question,
    })
    .map((list) => parseQuestions(list))
}

/** Questions with responses of all kinds to some of them. */
export const answeredWithin = (
  limits: Limits,
): fc.Arbitrary<{ questions: AskedQuestion[]; responses: Responses }> =>
  questionsWithin(limits).chain((questions) =>
    fc.record({
      questions: fc.constant(questions),
      responses: fc
        .tuple(...questions.map((question) => fc.option(responseTo(question), { nil: undefined })))
        .map((given) =>
          Object.fromEntries(
            questions.flatMap(({ id }, index) => {
              const response = given[index]
              return response ? [[id, response]] : []
            }),
          ),
        ),
    }),
  )

function responseTo(question: AskedQuestion): fc.Arbitrary<QuestionResponse> {
  const { options = [], multiSelect = false, allowFreeText = true } = question
  const labels = options.map(({ label }) => label)
  // Who types a label has chosen it: where an answer is text, the two cannot be told apart, nor need they be.
  const isOption = (typed: string): boolean =>
    findOption(question, typed.trim()) !== undefined ||
    labels.some((label) => [label, label.trim(), JSON.stringify(label)].includes(typed.trim()))
  const typed = text.filter((candidate) => !isOption(candidate))
  const notes = fc.option(text, { nil: undefined })
  const given = (selected: string[], freeText?: string, note?: string): QuestionResponse => ({
    selected,
    ...(freeText !== undefined && { freeText }),
    ...(note !== undefined && { notes: note }),
    source: 'human',
  })
  const picked = fc.subarray(options.map(optionValue), {
    minLength: Math.min(1, options.length),
    maxLength: multiSelect ? options.length : Math.min(1, options.length),
  })
  return fc.oneof(
    notes.map((note): QuestionResponse => ({ skipped: true, ...(note !== undefined && { notes: note }) })),
    ...(options.length > 0
      ? [
          fc.tuple(picked, notes).map(([selected, note]) => given(selected, undefined, note)),
          picked.map((selected): QuestionResponse => ({ selected, source: 'default' })),
        ]
      : []),
    ...(allowFreeText ? [fc.tuple(typed, notes).map(([freeText, note]) => given([], freeText, note))] : []),
    ...(allowFreeText && multiSelect && options.length > 0
      ? [fc.tuple(picked, typed, notes).map(([selected, freeText, note]) => given(selected, freeText, note))]
      : []),
  )
}

/** The outcome of a submission. */
export const submitted = (questions: AskedQuestion[], responses: Responses): Outcome => ({
  kind: submittedKind(questions, responses),
  toolCallId: 'call-1',
  questions,
  answers: {},
  responses,
  unanswered: unansweredIds(questions, responses),
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 1,
})

/** What a value is after it went over a wire. */
export const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** What a system keeps of a question: these keys, and of its options those. */
export const kept = (
  { id, ...question }: AskedQuestion,
  keys: readonly Exclude<keyof Question, 'id'>[],
  optionKeys: readonly (keyof QuestionOption)[],
): AskedQuestion => {
  const only = <T extends object>(value: T, names: readonly (keyof T)[]): Partial<T> =>
    Object.fromEntries(
      Object.entries(value).filter(([key]) => (names as readonly string[]).includes(key)),
    ) as Partial<T>
  return {
    ...(only(question, ['question', ...keys]) as Question),
    ...(question.options && {
      options: question.options.map((each) => only(each, ['label', ...optionKeys]) as QuestionOption),
    }),
    id,
  }
}

/** A question without what is the default anyway. */
export const plain = ({ options, ...question }: AskedQuestion): unknown => ({
  ...Object.fromEntries(
    Object.entries(question).filter(
      ([key, value]) =>
        value !== '' &&
        !(key === 'multiSelect' && value === false) &&
        !((key === 'allowFreeText' || key === 'required') && value === true),
    ),
  ),
  ...(options && {
    options: options.map(({ value, ...option }) => ({
      ...Object.fromEntries(Object.entries(option).filter(([, entry]) => entry !== '')),
      ...(value !== undefined && value !== option.label && { value }),
    })),
  }),
})

/** The responses that answer something, changed as a system changes them. */
export const answersIn = (
  responses: Responses,
  change: (response: QuestionResponse) => QuestionResponse | null,
): Responses =>
  Object.fromEntries(
    Object.entries(responses).flatMap(([id, response]) => {
      const changed = change(response)
      return changed ? [[id, changed]] : []
    }),
  )

export const withoutNotes = (response: QuestionResponse): QuestionResponse => {
  const { notes: _, ...rest } = response
  return rest as QuestionResponse
}

/** As if a person had given it. */
export const asByHuman = (response: QuestionResponse): QuestionResponse =>
  'source' in response ? { ...response, source: 'human' } : response

export const withTrimmedText = (response: QuestionResponse): QuestionResponse =>
  'freeText' in response && response.freeText !== undefined
    ? { ...response, freeText: response.freeText.trim() }
    : response
