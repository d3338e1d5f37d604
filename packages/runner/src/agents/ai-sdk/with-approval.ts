import { randomUUID } from 'node:crypto'
import {
  type ApprovalSubject,
  approvalIn,
  approvalQuestion,
  checkOptions,
  denialText,
  describeOutcome,
  editText,
  isObject,
  isShortSchema,
  notRunText,
  type OptionNames,
  type RunnerChannel,
  reasonsOf,
} from '@sandagent/core/internal'
import { asSchema, type Tool } from 'ai'
import type { AskOptions } from '../../ask/ask-options.ts'
import { askUser } from '../../ask/ask-user.ts'
import { checkChannel } from '../../ask/check-channel.ts'
import { UnansweredError } from '../../run/unanswered-error.ts'

export interface ApprovalOptions extends Pick<AskOptions, 'timeoutMs' | 'clock' | 'onWarning'> {
  /** The tool's name in the tool set. */
  name: string
  channel: RunnerChannel
  /** Why a person is asked: a rule of yours, in plain words. What the model says is part of the input. */
  reason?: string | undefined
  /** Such as the id of a chat. Default: random. */
  runId?: string | undefined
}

/** The output of a call whose input a person changed: its model reads both. */
export interface ChangedOutput<Output> {
  /** What was changed, in words. */
  changedByUser: string
  output: Output
}

const NAMES: OptionNames<ApprovalOptions> = {
  name: true,
  channel: true,
  reason: true,
  runId: true,
  timeoutMs: true,
  clock: 'clock',
  onWarning: 'function',
}

/** A tool of the AI SDK 5, 6 or 7, as far as it is wrapped. */
type AnyTool = Pick<Tool, 'inputSchema'> & {
  execute?: ((input: never, options: never) => unknown) | undefined
  toModelOutput?: ((given: never) => unknown) | undefined
}

/**
 * The same tool, whose calls a person allows first, as they are or edited. A call that nobody allowed throws an
 * `UnansweredError`, which the model reads. The output of an edited call is a {@link ChangedOutput}.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, for what is no channel of a runner, and for a tool that
 *   runs elsewhere
 */
export function withApproval<T extends AnyTool>(tool: T, given: ApprovalOptions): T {
  checkOptions('withApproval', given, NAMES)
  const { name, channel, reason, runId = randomUUID(), ...options } = given
  checkChannel(channel)
  const { execute, toModelOutput } = tool as { [Name in keyof AnyTool]: (...of: unknown[]) => unknown }
  const schema = asSchema(tool.inputSchema)

  const run = async (input: unknown, call: { toolCallId: string; abortSignal?: AbortSignal }) => {
    const { toolCallId, abortSignal: signal } = call
    const asked = await schema.jsonSchema
    const subject: ApprovalSubject = {
      toolName: name,
      input,
      ...(reason !== undefined && { reasons: reasonsOf({ rule: [reason] }) }),
      editable: true,
      ...(isObject(asked) && isShortSchema(asked) && { schema: asked }),
    }
    const outcome = await askUser(
      channel,
      {
        kind: 'approval',
        toolCallId,
        toolName: name,
        questions: [approvalQuestion(name)],
        subject,
        takesQuestions: true,
        runId,
      },
      { ...options, signal, timeoutPolicy: 'decline' },
    )
    const { decision, note, input: edited } = approvalIn(outcome)
    const refuse = (text: string): never => {
      throw new UnansweredError(text, outcome)
    }
    if (decision === 'deny') refuse(denialText(subject, note))
    if (decision === undefined) refuse(notRunText(name, describeOutcome(outcome)))
    if (edited === undefined) return lastOf(execute?.(input, call))
    const checked = (await schema.validate?.(edited)) ?? { success: true, value: edited }
    if (!checked.success)
      return refuse(
        notRunText(name, `The user changed its input to one that does not fit: ${checked.error.message}`),
      )
    const output = await lastOf(execute?.(checked.value, call))
    return { changedByUser: editText(subject, edited, note), output } satisfies ChangedOutput<unknown>
  }

  return {
    ...tool,
    execute: run,
    ...(toModelOutput && { toModelOutput: (given: unknown) => toldOf(given, toModelOutput) }),
  }
}

/** The last output of a tool that has several, one after the other. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isIterable(output)) return output
  let last: unknown
  for await (const each of output) last = each
  return last
}

const isIterable = (output: unknown): output is AsyncIterable<unknown> =>
  isObject(output) && Symbol.asyncIterator in output

type ModelOutput = { type: string; value: unknown }

/** What the model reads of an output, by the tool's own words, and below it what was changed. */
function toldOf(given: unknown, toModelOutput: (given: unknown) => unknown): unknown {
  // Version 5 gives the output itself, later versions an object with it.
  const isWrapped = isObject(given) && 'toolCallId' in given
  const output = isWrapped ? given.output : given
  if (!isObject(output) || typeof output.changedByUser !== 'string') return toModelOutput(given)
  const text = output.changedByUser
  const withText = ({ type, value }: ModelOutput): object => {
    const words = typeof value === 'string' ? value : JSON.stringify(value)
    const parts = type === 'content' ? (value as object[]) : [{ type: 'text', text: words }]
    return { type: 'content', value: [...parts, { type: 'text', text }] }
  }
  const told = toModelOutput(isWrapped ? { ...given, output: output.output } : output.output)
  // Version 5 awaits no promise here.
  return told instanceof Promise ? told.then(withText) : withText(told as ModelOutput)
}
