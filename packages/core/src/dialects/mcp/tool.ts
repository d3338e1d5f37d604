import { type AnswerTexts, encodeAnswers } from '../../answer/answer-text.ts'
import { filesInWords } from '../../answer/files/files-in-words.ts'
import type { Responses } from '../../answer/response.ts'
import { CHECK_TOOL, TICKET_ASK_TOOL } from '../../answer/tools/ticket-tools.ts'
import { isMeantForBlocking, keysBeside, parseAskCall, type ToolInput } from '../../answer/tools/tool-call.ts'
import { ASK_TOOL, type ToolDefinition } from '../../answer/tools/tool-definition.ts'
import type { AskedQuestion } from '../../question/question.ts'
import { asModelsRead, type Outcome } from '../../record/outcome/outcome.ts'
import { describeOutcome, type OutcomeFacts } from '../../record/outcome/outcome-text.ts'

/** The tool that an MCP server offers: ours, by a name in the manner of MCP. */
export const MCP_TOOL: ToolDefinition = { ...ASK_TOOL, name: 'ask_user_question' }

/** The tools that it offers in its place to a model that may ask without waiting. */
export const MCP_TICKET_TOOLS: Record<'ask' | 'check', ToolDefinition> = {
  ask: { ...TICKET_ASK_TOOL, name: MCP_TOOL.name },
  check: { ...CHECK_TOOL, name: 'check_question' },
}

/**
 * Reads the arguments of a call of the tool. A key that the tool does not have is a fault, except beside the questions: clients
 * put keys of their own there. See {@link foreignKeys}.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseToolCall(input: ToolInput, tool: ToolDefinition = MCP_TOOL): AskedQuestion[] {
  const beside = new Set(foreignKeys(input, tool))
  return parseAskCall(Object.fromEntries(Object.entries(input).filter(([key]) => !beside.has(key))), tool)
}

/** The keys of a call that say nothing to the tool. Its model is told, because it may have misspelt one. */
export const foreignKeys = (input: ToolInput, tool: ToolDefinition): string[] =>
  keysBeside(input, tool).filter((key) => !isMeantForBlocking(key, tool))

/** The result of a `tools/call` request. */
export interface McpToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent: {
    kind: Outcome['kind']
    /** The same text again: many clients give the model the structured content alone. */
    text: string
    /** Answers as text by question text. */
    answers: AnswerTexts
    /** The answers by question id, with very long texts cut. */
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
  const { kind, questions, responses, unanswered, held } = asModelsRead(outcome)
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
