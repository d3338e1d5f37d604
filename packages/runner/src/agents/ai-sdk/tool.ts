import { randomUUID } from 'node:crypto'
import {
  ASK_TOOL,
  type AskUserQuestionInput,
  type AskUserQuestionOutput,
  checkOptions,
  type OptionNames,
  parseAskCall,
  type RunnerChannel,
  type ToolDefinition,
} from '@sandagent/core/internal'
import { jsonSchema, type Tool, tool } from 'ai'
import type { AskOptions } from '../../ask/ask-options.ts'
import { askUser } from '../../ask/ask-user.ts'
import { noteAskedBack } from '../../ask/asked-back.ts'
import { modelFiles } from '../../ask/attached-files.ts'
import { checkChannel } from '../../ask/check-channel.ts'
import { toolResultOf } from '../../run/tool-result.ts'
import { UnansweredError } from '../../run/unanswered-error.ts'
import { askedBackIn } from './asked-back-in.ts'
import { type GivenOutput, modelOutput, type ShownFiles } from './model-output.ts'

export interface AskUserQuestionToolOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'onWarning'> {
  channel: RunnerChannel
  /** Such as the id of a chat. Default: random. */
  runId?: string | undefined
}

const NAMES: OptionNames<AskUserQuestionToolOptions> = {
  channel: true,
  runId: true,
  timeoutMs: true,
  timeoutPolicy: true,
  clock: 'clock',
  onWarning: 'function',
}

/**
 * A tool for the AI SDK 5, 6 and 7 that asks the user and waits. Name it as one of the `ASK_TOOL_NAMES` in the tool set, such
 * as `AskUserQuestion`: pages find it by its name. The question is withdrawn when the generation is aborted.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, and for what is no channel of a runner
 */
export function createAskUserQuestionTool(
  given: AskUserQuestionToolOptions,
): Tool<AskUserQuestionInput, AskUserQuestionOutput> {
  checkOptions('createAskUserQuestionTool', given, NAMES)
  return askingTool(given, ASK_TOOL)
}

/** The same as another definition describes it to the model. */
export function askingTool(
  { channel, runId = randomUUID(), ...options }: AskUserQuestionToolOptions,
  definition: ToolDefinition,
): Tool<AskUserQuestionInput, AskUserQuestionOutput> {
  checkChannel(channel)
  const shown: ShownFiles = new WeakMap()
  return tool({
    description: definition.description,
    inputSchema: jsonSchema<AskUserQuestionInput>(definition.inputSchema),
    async execute(input, { toolCallId, abortSignal, messages = [] }): Promise<AskUserQuestionOutput> {
      const questions = parseAskCall({ ...input }, definition)
      const before = askedBackIn(messages)
      if (before) noteAskedBack(channel, { ...ASKED, ...before, runId }, before.question, before.said)
      const request = { ...ASKED, toolCallId, questions, runId, takesQuestions: true }
      const outcome = await askUser(channel, request, { ...options, signal: abortSignal })
      const result = toolResultOf(outcome)
      if ('errorText' in result) throw new UnansweredError(result.errorText, outcome)
      shown.set(result.output, await modelFiles(channel, outcome))
      return result.output
    },
    toModelOutput: (given: GivenOutput) => modelOutput(given, channel, shown),
  })
}

const ASKED = { toolName: ASK_TOOL.name, kind: 'question' } as const
