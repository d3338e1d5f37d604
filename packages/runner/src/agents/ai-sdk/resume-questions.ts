import { ASK_TOOL_NAMES, type AskUserQuestionInput, type RunnerChannel } from '@sandagent/core'
import type { AskOptions } from '../../ask/ask-options.ts'
import { askUser } from '../../ask/ask-user.ts'
import { toolResultOf } from '../../run/tool-result.ts'

export interface ResumeQuestionsOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'onWarning'> {
  channel: RunnerChannel
  /** The run id of the tool, such as the id of the chat. */
  runId: string
  /** Withdraws the questions. */
  abortSignal?: AbortSignal | undefined
}

/** A `UIMessage` of the AI SDK 5, 6 and 7. */
interface Message {
  role: string
  parts: readonly unknown[]
}

interface OpenCall {
  toolCallId: string
  input: AskUserQuestionInput
}

/**
 * Waits for the answers to questions whose server stopped before their calls had a result, and adds the results. The AI
 * SDK rejects messages with such calls.
 *
 * @param messages of the chat, from the page or a store; they are not changed
 * @returns messages for `convertToModelMessages`
 * @throws AskError `CONFLICT` when other questions were asked under a call's id, and errors of `askUser`.
 */
export const resumeQuestions = <M extends Message>(
  messages: readonly M[],
  options: ResumeQuestionsOptions,
): Promise<M[]> =>
  Promise.all(
    messages.map(async (message) =>
      message.role === 'assistant' && message.parts.some(isOpenCall)
        ? { ...message, parts: await Promise.all(message.parts.map((part) => resume(part, options))) }
        : message,
    ),
  )

const PART_TYPES: readonly string[] = ASK_TOOL_NAMES.map((name) => `tool-${name}`)

function isOpenCall(part: unknown): part is OpenCall {
  const { type, toolName, state } = part as Record<string, unknown>
  const asks =
    type === 'dynamic-tool'
      ? ASK_TOOL_NAMES.includes(toolName as (typeof ASK_TOOL_NAMES)[number])
      : PART_TYPES.includes(type as string)
  return asks && state === 'input-available'
}

async function resume(part: unknown, options: ResumeQuestionsOptions): Promise<unknown> {
  if (!isOpenCall(part)) return part
  const { channel, runId, abortSignal, ...rest } = options
  const { toolCallId, input } = part
  const result = toolResultOf(
    await askUser(
      channel,
      { toolCallId, questions: input.questions, runId },
      { ...rest, signal: abortSignal },
    ),
  )
  return 'output' in result
    ? { ...part, state: 'output-available', output: result.output }
    : { ...part, state: 'output-error', errorText: result.errorText }
}
