import { randomUUID } from 'node:crypto'
import {
  ASK_TOOL,
  type AskUserQuestionInput,
  type AskUserQuestionOutput,
  type RunnerChannel,
} from '@sandagent/core'
import { jsonSchema, type Tool, tool } from 'ai'
import type { AskOptions } from '../../ask/ask-options.ts'
import { askUser } from '../../ask/ask-user.ts'
import { describeOutput, toolResultOf } from '../../run/tool-result.ts'
import { UnansweredError } from '../../run/unanswered-error.ts'

export interface AskUserQuestionToolOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'onWarning'> {
  channel: RunnerChannel
  /** The run that asks, such as the id of a chat; random when absent. */
  runId?: string | undefined
}

/**
 * A tool for `streamText` and `generateText` of the AI SDK 5, 6 and 7, by which the model asks the user and waits.
 * Name it `AskUserQuestion` in the tool set, or one of the other `ASK_TOOL_NAMES`: pages know it by its name. Aborting
 * the generation withdraws the question.
 */
export const createAskUserQuestionTool = ({
  channel,
  runId = randomUUID(),
  ...options
}: AskUserQuestionToolOptions): Tool<AskUserQuestionInput, AskUserQuestionOutput> =>
  tool({
    description: ASK_TOOL.description,
    inputSchema: jsonSchema<AskUserQuestionInput>(ASK_TOOL.inputSchema),
    async execute({ questions }, { toolCallId, abortSignal }): Promise<AskUserQuestionOutput> {
      const outcome = await askUser(
        channel,
        { toolCallId, questions, runId },
        { ...options, ...(abortSignal && { signal: abortSignal }) },
      )
      const result = toolResultOf(outcome)
      if ('errorText' in result) throw new UnansweredError(result.errorText, outcome)
      return result.output
    },
    toModelOutput: (given: Given) => ({ type: 'text', value: describeOutput(outputIn(given)) }),
  })

/** Version 5 gives the output itself, later ones an object around it. */
type Given = AskUserQuestionOutput | { output: AskUserQuestionOutput }

const outputIn = (given: Given): AskUserQuestionOutput => ('output' in given ? given.output : given)
