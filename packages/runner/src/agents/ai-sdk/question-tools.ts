// Why it is so: docs/decisions/0112-a-ticket-is-the-id-of-its-call.md

import {
  type AskUserQuestionInput,
  type AskUserQuestionOutput,
  CHECK_TOOL,
  type CheckQuestionInput,
  checkOptions,
  describeOutcome,
  describeTicket,
  isTicket,
  type OptionNames,
  type Outcome,
  parseAskCall,
  TICKET_ASK_TOOL,
  type TicketOutput,
} from '@sandagent/core/internal'
import { jsonSchema, type ModelMessage, type Tool, tool } from 'ai'
import { noTicket, parseCheckCall } from '../../ask/check-call.ts'
import { type Standing, type Ticket, Tickets } from '../../ask/tickets.ts'
import { describeOutput, toolResultOf } from '../../run/tool-result.ts'
import { UnansweredError } from '../../run/unanswered-error.ts'
import type { ResultWriter } from './resume-questions.ts'
import { type AskUserQuestionToolOptions, askingTool } from './tool.ts'

export interface QuestionToolsOptions extends AskUserQuestionToolOptions {
  /** Such as the id of a chat. */
  runId: string
  /** The writer of `createUIMessageStream`: the page gets an answer in the place of its ticket. */
  writer?: ResultWriter | undefined
}

/** What the tools give: an answer, or a ticket. */
export type QuestionToolOutput = AskUserQuestionOutput | TicketOutput

/** The tools of a model that may ask without waiting. */
export interface QuestionTools {
  /** For `tools` of `streamText` and `generateText`. */
  tools: {
    AskUserQuestion: Tool<AskUserQuestionInput & { blocking?: boolean }, QuestionToolOutput>
    CheckQuestion: Tool<CheckQuestionInput, QuestionToolOutput>
  }
  /** For `prepareStep`: tells the model what was answered since its last step. */
  prepareStep(step: { messages: ModelMessage[] }): { messages?: ModelMessage[] }
  /**
   * Puts answers in the place of tickets whose questions have ended. The model is told of them before its next step.
   *
   * @param messages of the chat, from the page or a store; they are not changed
   * @returns messages for `convertToModelMessages`, and to save
   */
  resume<M extends Message>(messages: readonly M[]): Promise<M[]>
  /** Ends the waits when the reply is over. The questions stay open: `resume` finds their answers. */
  close(): Promise<void>
}

/** A `UIMessage` of the AI SDK 5, 6 and 7. */
interface Message {
  role: string
  parts: readonly unknown[]
}

interface TicketPart {
  type: string
  toolCallId: string
  state: 'output-available'
  output: TicketOutput
}

const NAMES: OptionNames<QuestionToolsOptions> = {
  channel: true,
  runId: true,
  timeoutMs: true,
  timeoutPolicy: true,
  clock: 'clock',
  onWarning: 'function',
  writer: true,
}

/**
 * `createAskUserQuestionTool` for a model that may ask with `blocking: false`, and a second tool by which it looks for the
 * answer. Both need their names. A question is withdrawn when the generation is aborted.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, and for what is no channel of a runner
 */
export function createQuestionTools(given: QuestionToolsOptions): QuestionTools {
  checkOptions('createQuestionTools', given, NAMES)
  const { writer, ...asking } = given
  const { channel, runId, ...options } = asking
  const waiting = askingTool(asking, TICKET_ASK_TOOL)
  let isClosed = false
  /** The calls of this reply: the page shows them in its message. */
  const shown = new Set<string>()
  /** Answers that the model has not been told yet, and those that were, with their place among the messages. */
  const news = new Map<string, string>()
  const told: { at: number; content: string }[] = []

  const follow = async (ticket: Ticket, toolCallId: string): Promise<void> => {
    const outcome = await ticket.outcome.catch(() => undefined) // The call that asked has told it.
    if (!outcome || isClosed) return
    if (shown.has(toolCallId)) writer?.write(chunkOf(toolCallId, outcome))
    if (ticket.takers > 0 || outcome.kind === 'aborted') return
    news.set(toolCallId, `About the question with the ticket ${toolCallId}:\n${describeOutcome(outcome)}`)
  }
  const tickets = new Tickets(channel, {
    ...options,
    runId,
    comesBack: true,
    toolName: 'AskUserQuestion',
    onBegun: (ticket, toolCallId) => void follow(ticket, toolCallId),
    isOwn: (record) => record.runId === runId,
  })
  const toModelOutput = (of: { output: QuestionToolOutput } | QuestionToolOutput) => {
    // Version 5 gives the output itself, later versions an object with it.
    const output = 'output' in of ? of.output : of
    return { type: 'text' as const, value: isTicket(output) ? output.text : describeOutput(output) }
  }

  return {
    tools: {
      AskUserQuestion: tool({
        description: TICKET_ASK_TOOL.description,
        inputSchema: jsonSchema<AskUserQuestionInput & { blocking?: boolean }>(TICKET_ASK_TOOL.inputSchema),
        async execute(input, call): Promise<QuestionToolOutput> {
          const { toolCallId, abortSignal } = call
          if (input.blocking !== false)
            return waiting.execute?.(input, call) as Promise<AskUserQuestionOutput>
          const questions = parseAskCall({ ...input }, TICKET_ASK_TOOL)
          shown.add(toolCallId)
          const ticket = tickets.begin(toolCallId, questions, false)
          abortSignal?.addEventListener('abort', () => isClosed || ticket.withdraw(), { once: true })
          return outputOf(await ticket.now())
        },
        toModelOutput,
      }),
      CheckQuestion: tool({
        description: CHECK_TOOL.description,
        inputSchema: jsonSchema<CheckQuestionInput>(CHECK_TOOL.inputSchema),
        async execute(input, { abortSignal }): Promise<QuestionToolOutput> {
          const { ticket: id, action } = parseCheckCall(input)
          const ticket = await tickets.find(id)
          if (!ticket) throw noTicket(id)
          const standing = await ticket.now()
          if (standing.kind === 'ended') news.delete(id)
          if (standing.kind === 'ended' || action === 'look') return outputOf(standing)
          ticket.takers++
          if (action === 'withdraw') ticket.withdraw()
          const gone = new Promise<Standing>((resolve) =>
            abortSignal?.addEventListener('abort', () => resolve(standing), { once: true }),
          )
          const ended = ticket.outcome.then((outcome): Standing => ({ kind: 'ended', outcome }))
          return outputOf(await Promise.race([ended, gone]))
        },
        toModelOutput,
      }),
    },
    prepareStep({ messages }) {
      for (const content of news.values()) told.push({ at: messages.length, content })
      news.clear()
      if (told.length === 0) return {}
      // Version 7 keeps what an earlier step was given.
      const known = new Set(messages.map(({ content }) => content))
      const all = [...messages]
      told
        .filter(({ content }) => !known.has(content))
        .forEach(({ at, content }, index) => void all.splice(at + index, 0, { role: 'user', content }))
      return { messages: all }
    },
    resume: (messages) =>
      Promise.all(
        messages.map(async (message) => {
          if (message.role !== 'assistant' || !message.parts.some(isTicketPart)) return message
          const resumed = async (part: unknown): Promise<unknown> => {
            if (!isTicketPart(part)) return part
            const standing = await (await tickets.find(part.toolCallId))?.now()
            if (standing?.kind !== 'ended') return part
            const result = toolResultOf(standing.outcome)
            if ('output' in result) return { ...part, output: result.output }
            const { output: _, ...call } = part
            return { ...call, state: 'output-error', errorText: result.errorText }
          }
          return { ...message, parts: await Promise.all(message.parts.map(resumed)) }
        }),
      ),
    async close() {
      isClosed = true
      await tickets.close()
    },
  }
}

const isTicketPart = (part: unknown): part is TicketPart => {
  const { type, state, output } = part as Record<string, unknown>
  return type === 'tool-AskUserQuestion' && state === 'output-available' && isTicket(output)
}

function outputOf(standing: Standing): QuestionToolOutput {
  if (standing.kind === 'open') {
    const { toolCallId: ticket, questions } = standing.record
    return { ticket, questions, text: describeTicket(ticket, questions, COMES) }
  }
  const result = toolResultOf(standing.outcome)
  if ('errorText' in result) throw new UnansweredError(result.errorText, standing.outcome)
  return result.output
}

function chunkOf(toolCallId: string, outcome: Outcome): Parameters<ResultWriter['write']>[0] {
  const result = toolResultOf(outcome)
  return 'output' in result
    ? { type: 'tool-output-available', toolCallId, output: result.output }
    : { type: 'tool-output-error', toolCallId, errorText: result.errorText }
}

const COMES =
  'The answer comes as a message while you work, or with the next message of the user. Wait for it with CheckQuestion only if you can do nothing more without it.'
