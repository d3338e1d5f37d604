import {
  ASK_TOOL_NAMES,
  type AskUserQuestionInput,
  type AskUserQuestionOutput,
  checkOptions,
  type OptionNames,
  type QuestionRecord,
  type RunnerChannel,
} from '@sandagent/core/internal'
import type { AskOptions } from '../../ask/ask-options.ts'
import { askUser } from '../../ask/ask-user.ts'
import { filesOf } from '../../ask/verify/verified-channel.ts'
import { type ToolResult, toolResultOf } from '../../run/tool-result.ts'

export interface ResumeQuestionsOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'onWarning'> {
  channel: RunnerChannel
  /** The run id of the tool, such as the id of the chat. */
  runId: string
  /** Withdraws the questions. */
  abortSignal?: AbortSignal | undefined
  /**
   * The writer of `createUIMessageStream`. It gets the results of the last message's calls, so that the page that shows this
   * message sees them: the stream goes on with this message.
   */
  writer?: ResultWriter | undefined
}

const NAMES: OptionNames<ResumeQuestionsOptions> = {
  channel: true,
  runId: true,
  timeoutMs: true,
  timeoutPolicy: true,
  abortSignal: 'signal',
  writer: true,
  onWarning: 'function',
  clock: 'clock',
}

/** Takes the chunks of a UI message stream that give a tool call its result. */
export interface ResultWriter {
  write(chunk: ResultChunk): void
}

type ResultChunk = { toolCallId: string; dynamic?: boolean } & (
  | { type: 'tool-output-available'; output: AskUserQuestionOutput }
  | { type: 'tool-output-error'; errorText: string }
)

/** A `UIMessage` of the AI SDK 5, 6 and 7. */
interface Message {
  role: string
  parts: readonly unknown[]
}

interface OpenCall {
  type: string
  toolCallId: string
  input: AskUserQuestionInput
}

/**
 * Waits for the answers to questions whose server stopped before their calls had a result, and adds the results. The AI
 * SDK rejects messages with such calls. A question without a record, such as one that was swept, is not asked again: its
 * call has failed.
 *
 * @param messages of the chat, from the page or a store; they are not changed
 * @returns messages for `convertToModelMessages`
 * @throws AskError `CONFLICT` when other questions were asked under a call's id, and errors of `askUser`.
 */
export async function resumeQuestions<M extends Message>(
  messages: readonly M[],
  given: ResumeQuestionsOptions,
): Promise<M[]> {
  checkOptions('resumeQuestions: its options', given, NAMES)
  const { writer, ...options } = given
  return Promise.all(
    messages.map(async (message, index) => {
      if (message.role !== 'assistant' || !message.parts.some(isOpenCall)) return message
      const isLast = index === messages.length - 1
      const resume = async (part: unknown): Promise<unknown> => {
        if (!isOpenCall(part)) return part
        const result = await resultOf(part, options)
        if (isLast) writer?.write(chunkOf(part, result))
        const state = 'output' in result ? 'output-available' : 'output-error'
        return { ...part, state, ...result }
      }
      return { ...message, parts: await Promise.all(message.parts.map(resume)) }
    }),
  )
}

const PART_TYPES: readonly string[] = ASK_TOOL_NAMES.map((name) => `tool-${name}`)

function isOpenCall(part: unknown): part is OpenCall {
  const { type, toolName, state } = part as Record<string, unknown>
  const asks =
    type === 'dynamic-tool'
      ? ASK_TOOL_NAMES.includes(toolName as (typeof ASK_TOOL_NAMES)[number])
      : PART_TYPES.includes(type as string)
  return asks && state === 'input-available'
}

function chunkOf({ type, toolCallId }: OpenCall, result: ToolResult): ResultChunk {
  const call = { toolCallId, ...(type === 'dynamic-tool' && { dynamic: true }) }
  return 'output' in result
    ? { type: 'tool-output-available', ...call, output: result.output }
    : { type: 'tool-output-error', ...call, errorText: result.errorText }
}

async function resultOf(
  { toolCallId, input }: OpenCall,
  { channel, runId, abortSignal, ...rest }: Omit<ResumeQuestionsOptions, 'writer'>,
): Promise<ToolResult> {
  const gone = new AbortController()
  const looking = onlyRecorded(channel, () => gone.abort())
  const signal = abortSignal ? AbortSignal.any([abortSignal, gone.signal]) : gone.signal
  const request = { toolCallId, questions: input.questions, runId, takesQuestions: true }
  const result = toolResultOf(await askUser(looking, request, { ...rest, signal }))
  return 'errorText' in result && gone.signal.aborted ? { errorText: `${result.errorText} ${GONE}` } : result
}

const GONE =
  'It was asked long ago or never, and there is no record of it and no answer. Ask again if you still need to know.'

/** The same channel, which tells of a question that it did not know. */
const onlyRecorded = (channel: RunnerChannel, onUnknown: () => void): RunnerChannel => ({
  async open(record, options) {
    const found: QuestionRecord = await channel.open(record, options)
    if (found.nonce === record.nonce) onUnknown()
    return found
  },
  recordOf: (...of) => channel.recordOf(...of),
  read: (...of) => channel.read(...of),
  subscribe: (...of) => channel.subscribe(...of),
  close: (...of) => channel.close(...of),
  leave: (...of) => channel.leave(...of),
  ...filesOf(channel),
  settle: (...of) => channel.settle(...of),
})
