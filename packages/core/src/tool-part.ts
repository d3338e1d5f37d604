import { type AskedQuestion, type Question, type QuestionOption, withIds } from './question.ts'

/**
 * A tool part of a chat message, by structure: AI SDK 5, 6 and 7, dynamic (`dynamic-tool`) or static
 * (`tool-AskUserQuestion`). States this code does not know count as pending.
 */
export interface ToolPart {
  type: string
  toolCallId: string
  state: string
  toolName?: string | undefined
  input?: unknown
  output?: unknown
  errorText?: string | undefined
  /** Whether an output is still to be followed by the final one. */
  preliminary?: boolean | undefined
}

/** The names under which agents offer this tool. */
export const ASK_TOOL_NAMES: readonly string[] = ['AskUserQuestion', 'ask_user_question', 'askUserQuestions']

/** Whether a message part is a call of an ask-user tool. */
export function isAskUserQuestionPart(part: { type: string; toolName?: unknown }): part is ToolPart {
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.replace(/^tool-/, '')
  return ASK_TOOL_NAMES.some((known) => name === known)
}

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
  const options = Array.isArray(entry.options) ? entry.options.flatMap(readOption) : []
  return [
    {
      question,
      ...texts(entry, ['id', 'header', 'placeholder', 'defaultOption']),
      ...flags(entry, ['multiSelect', 'allowFreeText', 'required']),
      ...(options.length > 0 && { options }),
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

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two deliveries of a part show the same; chat stores copy parts, so identity tells nothing. */
export const samePart = (a: ToolPart, b: ToolPart): boolean =>
  a === b ||
  (a.state === b.state &&
    a.errorText === b.errorText &&
    a.preliminary === b.preliminary &&
    sameJson(a.input, b.input) &&
    sameJson(a.output, b.output))

const sameJson = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)
