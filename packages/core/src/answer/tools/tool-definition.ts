import type { AskedQuestion, Question } from '../../question/question.ts'
import type { AnswerTexts } from '../answer-text.ts'
import type { Responses } from '../response.ts'

/** The keywords of JSON Schema 2020-12 that the tools here need. */
export interface ToolSchema {
  $schema?: string
  type: 'object' | 'array' | 'string' | 'boolean' | 'number'
  description?: string
  properties?: Record<string, ToolSchema>
  required?: string[]
  additionalProperties?: boolean
  items?: ToolSchema
  minItems?: number
  maxItems?: number
  maxLength?: number
  default?: boolean
  enum?: string[]
}

/** A tool as every protocol offers it to a model. */
export interface ToolDefinition {
  name: string
  description: string
  inputSchema: ToolSchema
}

/** The schema of a text. */
export const textSchema = (description: string): ToolSchema => ({ type: 'string', description })

/** The schema of an object with these properties and no other. */
export const objectSchema = (required: string[], properties: Record<string, ToolSchema>): ToolSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const flag = (description: string): ToolSchema => ({ type: 'boolean', description })

const option = objectSchema(['label'], {
  label: textSchema('What the user picks: one to five words, distinct within the question.'),
  description: textSchema('What choosing this means, and what speaks for or against it, in Markdown.'),
  preview: textSchema(
    'Longer content to compare the choices by, as Markdown: a snippet, a layout, a configuration.',
  ),
  recommended: flag('Whether you recommend this choice. The user sees a mark beside it.'),
})

const number = (description: string): ToolSchema => ({ type: 'number', description })

const typed: ToolSchema = {
  ...objectSchema(['kind'], {
    kind: {
      ...textSchema('What the answer is.'),
      enum: ['number', 'date', 'time', 'date-time', 'email', 'uri'],
    },
    min: number('Of a number: the least.'),
    max: number('Of a number: the greatest.'),
    step: number('Of a number: the step from min. 1 takes whole numbers alone.'),
    unit: textSchema('Of a number: what is counted, such as "ms".'),
    show: {
      ...textSchema('Of a number with min and max: a slider, or a rating of at most 11 whole numbers.'),
      enum: ['slider', 'rating'],
    },
    earliest: textSchema('Of a date or time, written as the answer is: 2026-01-31, 14:30, 2026-01-31T14:30.'),
    latest: textSchema('The same for the end.'),
    zone: flag(
      'Of a date-time: the answer has an offset from UTC. Default false: the local time of the user.',
    ),
    range: flag('Of numbers, dates and times: the answer is two of them, as FROM/TO.'),
  }),
  description:
    'What a typed answer must be, such as a number within limits. Only without options. Default: any text.',
}

const question = objectSchema(['question'], {
  question: textSchema(
    'The whole question, in Markdown. Its first line is its heading: one sentence that ends with a question mark. What the user needs to know to decide stands below.',
  ),
  header: textSchema('A label of at most 12 characters that tells the questions apart, such as "Language".'),
  options: {
    type: 'array',
    items: option,
    description:
      'The choices, two to four as a rule; a recommended one comes first. None at all lets the user type the answer. Do not add "Other": a typed answer is offered anyway.',
  },
  textFormat: {
    ...textSchema(
      'How the question, its labels and its descriptions are written. "plain" shows them as they are. Default "markdown".',
    ),
    enum: ['markdown', 'plain'],
  },
  multiSelect: flag('Whether several choices may be picked. Default false.'),
  typed,
  allowFreeText: flag('Whether the user may type an answer instead of picking one. Default true.'),
  files: {
    ...objectSchema([], {
      types: { type: 'array', items: textSchema('Such as "image/*".'), description: 'Default: any type.' },
    }),
    description: 'Lets the user give files or images with the answer, such as a screenshot. {} takes any.',
  },
  secret: flag(
    'Whether the answer is a secret, such as a password or a token. You never see it: you are told how a command gets it. Without options.',
  ),
  placeholder: textSchema('A hint inside the empty text field.'),
  required: flag('Whether an answer is needed here. Default true.'),
  defaultOption: textSchema('The label of the option that stands in when nobody answers in time.'),
})

/** The tool by which a model asks its user. `parseQuestions` reads the `questions` of its input. */
export const ASK_TOOL: ToolDefinition = {
  name: 'AskUserQuestion',
  description:
    'Asks the user one to four questions and waits for the answers. Use it for what only the user can decide: preferences, requirements that are not clear, a choice between ways that lead to different results. Do not use it for what you can find out yourself, nor to ask whether to go on. Ask what belongs together in one call. The user may answer in their own words, leave questions out, or decline.',
  inputSchema: {
    type: 'object',
    properties: { questions: { type: 'array', items: question, minItems: 1 } },
    required: ['questions'],
    additionalProperties: false,
  },
}

/** What a model gives the tool; `parseQuestions` checks it. */
export interface AskUserQuestionInput {
  questions: Question[]
}

/** What the tool gives back: the two keys of the SandAgent document, and what these keys cannot hold. */
export interface AskUserQuestionOutput {
  questions: AskedQuestion[]
  /** Answers as text by question text, see `encodeAnswers`. */
  answers: AnswerTexts
  /** The answers without loss, by question id. */
  responses: Responses
  status: 'answered' | 'partial'
  /** Ids of the questions without an answer; absent when there are none. */
  unanswered?: string[]
  answeredBy?: string
  /** Of a question that did not block: whether what was assumed holds, by question id. */
  held?: Record<string, boolean>
}
