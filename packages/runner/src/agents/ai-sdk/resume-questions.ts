import { ASK_TOOL_NAMES, type AskUserQuestionInput, type RunnerChannel } from '@sandagent/core'
import type { AskOptions } from '../../ask/ask-options.ts'
import { askUser } from '../../ask/ask-user.ts'
import { toolResultOf } from '../../run/tool-result.ts'

export interface ResumeQuestionsOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'onWarning'> {
  channel: RunnerChannel
  /** The run that asks: the same as that of the tool, such as the id of the chat. */
  runId: string
  /** Withdraws the questions. */
  abortSignal?: AbortSignal | undefined
}

/** The message of a page, as the AI SDK 5, 6 and 7 have it. */
interface Message {
  role: string
  parts: readonly unknown[]
}

/** The call of a question that has no result. */
interface OpenCall {
  toolCallId: string
  input: AskUserQuestionInput
}

/**
 * Waits for the questions whose calls have no result, because the server that asked them is gone, and puts in their
 * results. A question that was answered meanwhile is not asked again. The AI SDK refuses messages with such calls.
 *
 * @param messages of the chat, as a page sends them or as they were stored
 * @returns the messages for `convertToModelMessages`; those given are not changed
 * @throws AskError `CONFLICT` when other questions were asked under a call's id, and what `askUser` throws.
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
      { ...rest, ...(abortSignal && { signal: abortSignal }) },
    ),
  )
  return 'output' in result
    ? { ...part, state: 'output-available', output: result.output }
    : { ...part, state: 'output-error', errorText: result.errorText }
}
