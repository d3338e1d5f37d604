import { isObject, pick } from '../lib/objects.ts'
import { QUESTION_LIMITS } from './limits.ts'
import {
  type AskedQuestion,
  type Question,
  type QuestionOption,
  type TextFormat,
  withIds,
} from './question.ts'
import type { TypedAnswer } from './typed/typed-answer.ts'

/**
 * Reads the questions of a tool input for display, also while it still streams in: what is not there yet, or not
 * of the right type, is left out, and so is what is over the limits. The host parses strictly; a page shows what it can.
 */
export const readQuestions = (input: unknown): AskedQuestion[] =>
  withIds(listIn(input, 'questions', QUESTION_LIMITS.questions)?.flatMap(readQuestion) ?? [])

/** The questions of a tool input as a text that can be compared: the order of keys makes no difference. */
export const askedIn = (input: unknown): string => JSON.stringify(readQuestions(input))

function readQuestion(entry: unknown): Question[] {
  const { question, ...texts } = pick(entry, 'string', [
    'question',
    'id',
    'header',
    'placeholder',
    'defaultOption',
    'textFormat',
  ])
  const flags = pick(entry, 'boolean', ['multiSelect', 'allowFreeText', 'required'])
  const options = listIn(entry, 'options', QUESTION_LIMITS.options)?.flatMap(readOption)
  const { typed, secret } = isObject(entry) ? entry : {}
  return question?.trim()
    ? [
        {
          question,
          // Whatever is not plain is shown as Markdown.
          ...(texts as { textFormat?: TextFormat }),
          ...flags,
          options,
          // What shows it is loaded on demand, and reads it: here it may be anything.
          typed: isObject(typed) ? (typed as unknown as TypedAnswer) : undefined,
          secret: !!secret || undefined,
        },
      ]
    : []
}

function readOption(entry: unknown): QuestionOption[] {
  const { label, ...texts } = pick(entry, 'string', ['label', 'value', 'description', 'preview'])
  return label ? [{ label, ...texts, ...pick(entry, 'boolean', ['recommended']) }] : []
}

const listIn = (from: unknown, key: string, most: number): unknown[] | undefined =>
  isObject(from) && Array.isArray(from[key]) ? from[key].slice(0, most) : undefined
