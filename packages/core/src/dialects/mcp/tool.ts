import { type AnswerTexts, encodeAnswers } from '../../answer/answer-text.ts'
import { filesInWords } from '../../answer/files/files-in-words.ts'
import type { Responses } from '../../answer/response.ts'
import { CHECK_TOOL, TICKET_ASK_TOOL } from '../../answer/tools/ticket-tools.ts'
import { ASK_TOOL, type ToolDefinition, type ToolSchema } from '../../answer/tools/tool-definition.ts'
import { type Fault, invalid } from '../../lib/errors.ts'
import { isObject, own } from '../../lib/objects.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import type { AskedQuestion } from '../../question/question.ts'
import type { Outcome } from '../../record/outcome/outcome.ts'
import { describeOutcome, type OutcomeFacts } from '../../record/outcome/outcome-text.ts'

/** The tool that an MCP server offers: ours, by a name in the manner of MCP. */
export const MCP_TOOL: ToolDefinition = { ...ASK_TOOL, name: 'ask_user_question' }

/** The tools that it offers in its place to a model that may ask without waiting. */
export const MCP_TICKET_TOOLS: Record<'ask' | 'check', ToolDefinition> = {
  ask: { ...TICKET_ASK_TOOL, name: MCP_TOOL.name },
  check: { ...CHECK_TOOL, name: 'check_question' },
}

/**
 * Reads the arguments of a call of the tool. A key of a question that the tool does not have is a fault: with it
 * something was meant that would not be asked. What clients put beside the questions is passed over.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseToolCall(
  input: Readonly<Record<string, unknown>>,
  { inputSchema }: ToolDefinition = MCP_TOOL,
): AskedQuestion[] {
  const { questions } = input
  const { questions: schema, blocking } = inputSchema.properties ?? {}
  const faults = [
    ...(blocking ? blockingFaults(input) : []),
    ...(schema ? unknownKeys(schema, questions, 'questions') : []),
  ]
  if (faults.length > 0) throw invalid('INVALID_QUESTIONS', 'These questions cannot be asked', faults)
  return parseQuestions(questions)
}

/** A model that does not want to wait would wait. */
function blockingFaults({ blocking, wait }: Readonly<Record<string, unknown>>): Fault[] {
  return [
    ...(wait === undefined
      ? []
      : [{ path: 'wait', expected: 'no such key: whether you wait is "blocking"' }]),
    ...(typeof (blocking ?? true) === 'boolean' ? [] : [{ path: 'blocking', expected: 'true or false' }]),
  ]
}

function unknownKeys({ items, properties }: ToolSchema, value: unknown, path: string): Fault[] {
  if (items && Array.isArray(value))
    return value.flatMap((item, index) => unknownKeys(items, item, `${path}.${index}`))
  if (!properties || !isObject(value)) return []
  return Object.entries(value).flatMap(([key, entry]) => {
    const schema = own(properties, key)
    const at = `${path}.${key}`
    return schema ? unknownKeys(schema, entry, at) : [{ path: at, expected: 'no such key' }]
  })
}

/** The result of a `tools/call` request. */
export interface McpToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent: {
    kind: Outcome['kind']
    /** The same text again: many clients give the model the structured content alone. */
    text: string
    /** Answers as text by question text. */
    answers: AnswerTexts
    /** The answers without loss, by question id. */
    responses: Responses
    /** Ids of the questions without an answer; absent when there are none. */
    unanswered?: string[]
    /** Of a question that did not block: whether what was assumed holds, by question id. */
    held?: Record<string, boolean>
  }
  isError?: true
}

/** Writes an outcome as the result of the tool. A refusal, a time-out or an abort is an error. */
export function formatToolResult(outcome: OutcomeFacts): McpToolResult {
  const { kind, questions, responses, unanswered, held } = outcome
  const text = describeOutcome(outcome)
  return {
    content: [{ type: 'text', text }],
    structuredContent: {
      kind,
      text,
      answers: encodeAnswers(questions, filesInWords(responses)),
      responses,
      ...(unanswered.length > 0 && { unanswered }),
      ...(held && { held }),
    },
    ...(kind !== 'answered' && kind !== 'partial' && { isError: true }),
  }
}
