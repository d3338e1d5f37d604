import { sameJson } from '../lib/digest.ts'
import type { TypedAnswer } from './typed/typed-answer.ts'

/** One choice of a question. */
export interface QuestionOption {
  /** What the person reads, unique in its question. One line of Markdown. */
  label: string
  /** What a response carries for this choice; the label when absent. Unique in its question. */
  value?: string | undefined
  /** What choosing it means, in Markdown. */
  description?: string | undefined
  /** Longer content to compare choices by: Markdown or HTML, as the asker says. */
  preview?: string | undefined
  /** Whether the asker recommends it. A label that ends in "(Recommended)" says the same. */
  recommended?: boolean | undefined
}

/** How the texts of a question are written. */
export type TextFormat = 'markdown' | 'plain'

/** The key to which the answer to one question is encrypted. The runner makes it, and uses it once. */
interface SecretKey {
  /** The point of P-256, uncompressed, in base64url. */
  publicKey: string
}

/** The files that a person may give with an answer. Without limits of its own, those of `ATTACHMENT_LIMITS` count. */
export interface FileRules {
  /** How many files at most. */
  max?: number | undefined
  /** How many bytes each of them may have. */
  maxBytes?: number | undefined
  /** Their media types, such as `image/png` or `image/*`. Default: any. */
  types?: string[] | undefined
}

/**
 * A question to a person: the superset of what the supported systems ask. Its JSON form is what question files,
 * answer files and tool inputs hold.
 */
export interface Question {
  /** Stable within one call. `parseQuestions` gives `q1`, `q2`, … to questions without one. */
  id?: string | undefined
  /** The whole question, in Markdown. Its first line is its heading. */
  question: string
  /** A short label for a chip or tab, up to about 12 characters. */
  header?: string | undefined
  /** The choices; none means that the answer is typed. */
  options?: QuestionOption[] | undefined
  /** `plain` shows the question, its labels and its descriptions as they are written. Default `markdown`. */
  textFormat?: TextFormat | undefined
  /** Whether several choices may be picked. Default false. */
  multiSelect?: boolean | undefined
  /** Whether a typed answer is possible beside the options. Default true. */
  allowFreeText?: boolean | undefined
  /** What a typed answer must be, such as a number or a date; only for a question without options. Default: any text. */
  typed?: TypedAnswer | undefined
  /**
   * The answer is a secret, such as a password; only for a question without options. The asker writes `true`, and the runner
   * its key. The response has `sealed` in place of typed text.
   */
  secret?: boolean | SecretKey | undefined
  /** A person may give files with the answer. Files alone are an answer, too. */
  files?: FileRules | undefined
  /** A hint inside the empty text field. */
  placeholder?: string | undefined
  /** Whether a submission needs an answer here. Default true. */
  required?: boolean | undefined
  /**
   * The value of the option that stands in when time runs out and the asker opted in to defaults. Of a question that does not
   * block: what its asker goes on with until the answer comes.
   */
  defaultOption?: string | undefined
  /** The typed answer that stands in like a `defaultOption`. Not beside one. */
  defaultText?: string | undefined
}

/** A question as it was asked: parsed, with its id. */
export interface AskedQuestion extends Question {
  id: string
}

/** An option's identity in responses: its `value`, or its label. */
export const optionValue = (option: QuestionOption): string => option.value ?? option.label
/** Whether a typed answer is possible. */
export const allowsFreeText = (question: Question): boolean => question.allowFreeText ?? !question.secret
/** Whether a submission needs an answer to this question. */
export const isRequired = (question: Question): boolean => question.required ?? true
/** The option that a response's value stands for. */
export const findOption = (question: Question, value: string): QuestionOption | undefined =>
  question.options?.find((option) => optionValue(option) === value)

/** Gives `q1`, `q2`, … by position to the questions without an id, past ids that are taken. */
export function withIds(questions: readonly Question[]): AskedQuestion[] {
  const taken = new Set(questions.map(({ id }) => id))
  return questions.map((question, index) => {
    let id = question.id ?? `q${index + 1}`
    while (question.id === undefined && taken.has(id)) id += '_'
    // V8 gives each object that begins with a spread a hidden class of its own, which takes more memory than its values.
    return Object.assign({}, question, { id })
  })
}

/** Whether two calls ask the same: questions as parsed, compared by content. */
export const sameQuestions = (a: readonly AskedQuestion[], b: readonly AskedQuestion[]): boolean =>
  sameJson(a, b)
