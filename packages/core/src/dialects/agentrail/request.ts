import * as v from 'valibot'
import { invalid } from '../../lib/errors.ts'
import { filledText } from '../../lib/schema.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import type { AskedQuestion, Question } from '../../question/question.ts'
import { readRequest, withoutSecrets } from '../dialect.ts'

/** The parameters of AgentRail's tool: one question. */
export interface AgentRailRequest {
  question: string
  /** Shown below the question; pointless beside options. */
  hint?: string
  /** Labels, distinct. */
  options?: string[]
  /** Whether several options may be picked. Default false. */
  multiple?: boolean
  /** Whether an answer may be typed beside the options. Default true. */
  custom?: boolean
}

/** The event that tells a page of a question that waits. */
export interface WaitingForUserInput extends AgentRailRequest {
  type: 'waiting_for_user_input'
  toolCallId: string
}

const requestSchema = v.object({
  question: filledText,
  hint: v.nullish(v.string()),
  options: v.nullish(v.array(filledText)),
  multiple: v.nullish(v.boolean()),
  custom: v.nullish(v.boolean()),
})

/**
 * Reads the parameters of AgentRail's tool, or the event of a question that waits. Other keys are passed over.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(input: unknown): AskedQuestion[] {
  const { question, hint, options, multiple, custom } = readRequest(requestSchema, input)
  return parseQuestions([
    {
      question,
      placeholder: hint,
      options: options?.map((label) => ({ label })),
      multiSelect: multiple,
      allowFreeText: custom,
    },
  ])
}

/**
 * Writes a question as the parameters of AgentRail's tool. It has no place for headers, descriptions, previews,
 * values, defaults and optional questions.
 *
 * @throws AskError `INVALID_QUESTIONS` for more than one question: each takes a call of its own.
 */
export function formatRequest(questions: readonly Question[]): AgentRailRequest {
  const [asked] = withoutSecrets(questions)
  if (!asked || questions.length > 1)
    throw invalid('INVALID_QUESTIONS', 'These questions cannot be asked', [
      { path: 'questions', expected: 'one question' },
    ])
  const { question, placeholder, options, multiSelect, allowFreeText } = asked
  return {
    question,
    ...(placeholder !== undefined && { hint: placeholder }),
    ...(options && { options: options.map(({ label }) => label) }),
    ...(multiSelect !== undefined && { multiple: multiSelect }),
    ...(allowFreeText !== undefined && { custom: allowFreeText }),
  }
}

/**
 * The event for a question that waits. It says what is allowed, also where that is the default.
 *
 * @throws AskError as {@link formatRequest} does.
 */
export const formatEvent = (asked: {
  toolCallId: string
  questions: readonly Question[]
}): WaitingForUserInput => ({
  type: 'waiting_for_user_input',
  toolCallId: asked.toolCallId,
  multiple: false,
  custom: true,
  ...formatRequest(asked.questions),
})
