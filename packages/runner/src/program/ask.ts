import {
  checkOptions,
  checkQuestionKeys,
  type Fault,
  invalid,
  isObject,
  type OptionNames,
  type Outcome,
  type OutcomeKind,
  own,
  parseQuestions,
  type Question,
  type QuestionOption,
} from '@sandagent/core/internal'
import type { AskOptions } from '../ask/ask-options.ts'
import { takeSecret } from '../ask/secrets/take-secret.ts'
import { askByFiles } from './ask-by-files.ts'
import { askByLines, isStartedByRunner } from './ask-by-lines.ts'

/** What `ask` takes beside the question. */
export interface AskExtras extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'signal'> {
  /** Names the call in its run. Default: the count of the calls of this process. */
  id?: string | undefined
  /** `false`: the program goes on with the default of the question, and awaits the answer later. Default true. */
  blocking?: boolean | undefined
}

/** The choices of a question; a text is a label. */
export type Choices = readonly (string | QuestionOption)[]

/** What `ask` and `ask.many` take beside the question and its choices. */
export type QuestionExtras = AskExtras & Omit<Question, 'id' | 'question' | 'options' | 'multiSelect'>

/** A question of `ask.all`. */
export type FormQuestion = Omit<Question, 'id' | 'options'> & { options?: Choices | undefined }

/** How a form of several questions ended. */
export interface FormOutcome<Questions extends Record<string, FormQuestion>> {
  kind: OutcomeKind
  /**
   * By the keys of the questions: the label picked or the words typed, all of them where several may be; `null` without an
   * answer.
   */
  answers: {
    [Key in keyof Questions]: (Questions[Key] extends { multiSelect: true } ? string[] : string) | null
  }
}

/** Asks the user of this program, and waits. */
export interface Ask {
  /**
   * @returns the label picked or the words typed; `null` if there is no answer: the person declined, or the time ran out
   * @throws AskError `INVALID_QUESTIONS`; `CONFLICT` if the same call of this run has asked something else before
   */
  (question: string, options?: Choices, extras?: QuestionExtras): Promise<string | null>
  /** The same where several choices may be picked. */
  many(question: string, options: Choices, extras?: QuestionExtras): Promise<string[] | null>
  /**
   * Asks for a secret, such as a password: encrypted where it is typed, kept in no file as it is, and read here once. `null` if
   * nobody gave it.
   */
  secret(question: string, extras?: QuestionExtras): Promise<string | null>
  /** Asks several questions in one form. A secret among them is answered by how to read it. */
  all<const Questions extends Record<string, FormQuestion>>(
    questions: Questions,
    extras?: AskExtras,
  ): Promise<FormOutcome<Questions>>
}

const EXTRAS: OptionNames<AskExtras> = {
  id: 'text',
  timeoutMs: true,
  timeoutPolicy: true,
  signal: 'signal',
  blocking: [true, false],
}

const QUESTION_EXTRAS: OptionNames<QuestionExtras> = {
  ...EXTRAS,
  header: true,
  textFormat: true,
  allowFreeText: true,
  typed: true,
  secret: true,
  files: true,
  placeholder: true,
  required: true,
  defaultOption: true,
  defaultText: true,
}

let calls = 0

async function askAll<const Questions extends Record<string, FormQuestion>>(
  given: Questions,
  extras: AskExtras = {},
): Promise<FormOutcome<Questions>> {
  if (!isObject(given) || Object.values(given).some((question) => !isObject(question)))
    throw invalid('INVALID_QUESTIONS', 'ask.all', [
      { path: 'its questions', expected: "questions by keys, such as { name: { question: 'Which name?' } }" },
    ])
  const { kind, questions, answers } = await put(given, extras)
  const byKey = Object.fromEntries(questions.map(({ id }) => [id, own(answers, id) ?? null]))
  return { kind, answers: byKey as FormOutcome<Questions>['answers'] }
}

async function put(
  given: Record<string, FormQuestion>,
  extras: AskExtras,
): Promise<Pick<Outcome, 'kind' | 'answers' | 'secrets' | 'questions'>> {
  checkOptions('ask: its extras', extras, EXTRAS)
  const { id, ...options } = extras
  // What a program without types may give as options instead is told by `parseQuestions`.
  const list = Object.entries(given).map(([key, question]) => ({
    ...question,
    id: key,
    ...(Array.isArray(question.options) && { options: question.options.map(optionOf) }),
  }))
  checkQuestionKeys(list)
  const questions = parseQuestions(list)
  const call = { id: id ?? String(++calls), questions, ...options }
  return { ...(await (isStartedByRunner() ? askByLines(call) : askByFiles(call))), questions }
}

const optionOf = (option: string | QuestionOption): QuestionOption =>
  typeof option === 'string' ? { label: option } : option

const askOne = async (
  question: string,
  options: Choices | undefined,
  multiSelect: boolean,
  extras: QuestionExtras = {},
): Promise<string | string[] | null> => {
  checkPlaces({ question, options })
  const { call, fields } = partsOf(extras)
  return (await askAll({ q1: { ...fields, question, options, multiSelect } }, call)).answers.q1
}

const askSecret = async (question: string, extras: QuestionExtras = {}): Promise<string | null> => {
  checkPlaces({ question })
  const { call, fields } = partsOf(extras)
  const { secrets } = await put({ q1: { ...fields, question, secret: true } }, call)
  return secrets?.q1 === undefined ? null : takeSecret(secrets.q1)
}

/** A program without types may put an argument into the place of another. */
function checkPlaces({ question, options = [] }: { question: unknown; options?: unknown }): void {
  const faults: Fault[] = []
  if (typeof question !== 'string' || question.trim() === '')
    faults.push({ path: 'its question', expected: "a text, such as 'Where to?'" })
  if (options !== null && !Array.isArray(options))
    faults.push({
      path: 'its choices',
      expected: "a list, such as ['Yes', 'No'] or []; all else comes third: ask('Where to?', [], { … })",
    })
  if (faults.length > 0) throw invalid('INVALID_QUESTIONS', 'ask', faults)
}

function partsOf(extras: QuestionExtras) {
  checkOptions('ask: its extras', extras, QUESTION_EXTRAS)
  const { id, timeoutMs, timeoutPolicy, signal, blocking, ...fields } = extras
  return { call: { id, timeoutMs, timeoutPolicy, signal, blocking }, fields }
}

/**
 * The short way to ask, for a program. Where it was started by `sandagent run`, the run asks; elsewhere, its folder has the
 * question.
 */
export const ask: Ask = Object.assign(
  async (question: string, options?: Choices, extras?: QuestionExtras) =>
    (await askOne(question, options, false, extras)) as string | null,
  {
    many: async (question: string, options: Choices, extras?: QuestionExtras) =>
      (await askOne(question, options, true, extras)) as string[] | null,
    secret: askSecret,
    all: askAll,
  },
)
