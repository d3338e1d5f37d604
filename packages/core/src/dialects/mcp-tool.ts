import { type AnswerTexts, encodeAnswers } from '../answer-text.ts'
import { describeOutcome, type Outcome, type OutcomeFacts } from '../outcome.ts'
import type { Responses } from '../response.ts'
import { ASK_TOOL, type ToolDefinition } from '../tool-definition.ts'

/** The tool that an MCP server offers: ours, by a name in the manner of MCP. */
export const MCP_TOOL: ToolDefinition = { ...ASK_TOOL, name: 'ask_user_question' }

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
  }
  isError?: true
}

/** Writes an outcome as the result of the tool. A refusal, a time-out or an abort is an error. */
export function formatToolResult(outcome: OutcomeFacts): McpToolResult {
  const { kind, questions, responses, unanswered } = outcome
  const text = describeOutcome(outcome)
  return {
    content: [{ type: 'text', text }],
    structuredContent: {
      kind,
      text,
      answers: encodeAnswers(questions, responses),
      responses,
      ...(unanswered.length > 0 && { unanswered }),
    },
    ...(kind !== 'answered' && kind !== 'partial' && { isError: true }),
  }
}
