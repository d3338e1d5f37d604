import { isObject } from './own.ts'
import { type AskedQuestion, type Question, type QuestionOption, withIds } from './question.ts'

/**
 * Reads the questions of a tool input for display, also while it still streams in: what is not there yet, or not
 * of the right type, is left out. The host parses strictly; a page shows what it can.
 */
export function readQuestions(input: unknown): AskedQuestion[] {
  const entries = isObject(input) && Array.isArray(input.questions) ? input.questions : []
  return withIds(entries.flatMap((entry): Question[] => (isObject(entry) ? readQuestion(entry) : [])))
}

function readQuestion(entry: Record<string, unknown>): Question[] {
  const question = text(entry.question)
  if (question === undefined || question.trim() === '') return []
  return [
    {
      question,
      ...texts(entry, ['id', 'header', 'placeholder', 'defaultOption']),
      ...flags(entry, ['multiSelect', 'allowFreeText', 'required']),
      ...(Array.isArray(entry.options) && { options: entry.options.flatMap(readOption) }),
    },
  ]
}

function readOption(entry: unknown): QuestionOption[] {
  const label = isObject(entry) ? text(entry.label) : undefined
  return label
    ? [{ label, ...texts(entry as Record<string, unknown>, ['value', 'description', 'preview']) }]
    : []
}

const texts = <K extends string>(
  entry: Record<string, unknown>,
  keys: readonly K[],
): Partial<Record<K, string>> => pick(entry, keys, 'string')
const flags = <K extends string>(
  entry: Record<string, unknown>,
  keys: readonly K[],
): Partial<Record<K, boolean>> => pick(entry, keys, 'boolean')

const pick = <K extends string, T>(entry: Record<string, unknown>, keys: readonly K[], type: string) =>
  Object.fromEntries(
    keys.flatMap((key) => (typeof entry[key] === type ? [[key, entry[key]]] : [])),
  ) as Partial<Record<K, T>>

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
