// Why it is so: docs/decisions/0038-other-systems-are-dialects.md

import * as v from 'valibot'
import type { Responses } from '../answer/response.ts'
import type { ToolDefinition } from '../answer/tools/tool-definition.ts'
import { invalid } from '../lib/errors.ts'
import { parseWith } from '../lib/schema.ts'
import type { AskedQuestion, Question } from '../question/question.ts'
import type { Outcome } from '../record/outcome/outcome.ts'

/** The translation of one system's questions and answers. `never[]` stands for what a system needs beside them. */
export interface Dialect {
  /** The system's name, as people say it. */
  name: string
  /** Reads their request. @throws AskError `INVALID_QUESTIONS` with every fault. */
  parseRequest(input: unknown, ...more: never[]): AskedQuestion[]
  /** Writes our questions as their request. @throws AskError `INVALID_QUESTIONS` for what is beyond their limits. */
  formatRequest(questions: readonly Question[], ...more: never[]): object
  /** Reads the answer of their page; `null` when nobody decided. @throws AskError `INVALID_ANSWERS` with every fault. */
  parseAnswer(questions: readonly AskedQuestion[], input: unknown, ...more: never[]): GivenAnswer | null
  /** Writes an outcome as the result for their agent. */
  formatResult(outcome: Outcome, ...more: never[]): object
  /** The tool for their model, if they have one. */
  tool?: () => ToolDefinition
  limits: DialectLimits
  losses: Losses
}

/** The least and the most that a system takes in one call. Without `most`, the limits of `QUESTION_LIMITS` count. */
export interface DialectLimits {
  questions: Range
  options: Range
}

export type Range = readonly [least: number, most?: number]

/**
 * What a dialect cannot carry, in Markdown, and why. The tables of `docs/reference/dialects.md` are made of these.
 * `request`: their question is read. `question`: our question is written. `response`: what a person said.
 */
type Losses = { readonly [Of in 'request' | 'question' | 'response']?: Readonly<Record<string, string>> }

/**
 * What a person decided, read from another system's answer. It is what `submitAnswer` takes beside the tool call's id:
 * `submitAnswer(sandbox, { toolCallId, ...parseAnswer(questions, theirs) })`.
 */
export type GivenAnswer =
  | { status: 'completed'; responses: Responses }
  /** The person will not answer; `reason` in their words. */
  | { status: 'declined'; reason?: string }

/**
 * The end of a tool call in a system that knows answers only: the output, or the text of a tool error for the model. A
 * refusal or a time-out is never an output.
 */
export type OutputOrError<T> = { output: T } | { errorText: string }

/**
 * Reads a request by its schema.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export const readRequest = <T>(schema: v.GenericSchema<unknown, T>, input: unknown): T =>
  parseWith(schema, input, 'INVALID_QUESTIONS', 'These questions cannot be asked')

/** Why no dialect writes a question for a secret. */
export const SECRETS_LOST = 'What is typed there would be kept as text, so such a question is refused.'

/**
 * The questions, if none asks for a secret: forms of other systems show and keep what is typed.
 *
 * @throws AskError `INVALID_QUESTIONS`
 */
export function withoutSecrets<T extends Question>(questions: readonly T[]): readonly T[] {
  const faults = questions.flatMap(({ secret }, index) =>
    secret
      ? [{ path: `questions.${index}.secret`, expected: 'no secret: ask for it on a page or in a terminal' }]
      : [],
  )
  if (faults.length > 0) throw invalid('INVALID_QUESTIONS', 'These questions cannot be asked there', faults)
  return questions
}

/** The schema of a list with as many entries as a system takes. */
export const listWithin = <T>(
  entry: v.GenericSchema<unknown, T>,
  [least, most = Number.POSITIVE_INFINITY]: Range,
  noun: string,
): v.GenericSchema<unknown, T[]> =>
  v.pipe(
    v.array(entry),
    v.check(({ length }) => least <= length && length <= most, `${least} to ${most} ${noun}`),
  )
