// Why it is so: docs/decisions/0105-a-task-is-a-questions-record.md

import {
  type CallToolResult,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { formatToolResult, MCP_TOOL } from '@sandagent/core/dialects/mcp'
import type { Outcome, QuestionRecord, RunnerChannel } from '@sandagent/core/internal'
import * as v from 'valibot'
import { type Ticket, Tickets } from '../ask/tickets.ts'
import type { CallSettings } from './call.ts'
import { waitingText } from './progress.ts'
import { withFiles } from './with-files.ts'

/** The extension of MCP 2026 by which a call returns at once, and its client asks how it stands. */
export const TASKS = 'io.modelcontextprotocol/tasks'

/** How often a client shall ask, in milliseconds. */
const POLL_MS = 1000

export type Task = TaskFacts & TaskState

interface TaskFacts {
  taskId: string
  createdAt: string
  lastUpdatedAt: string
  /** A question is kept as long as its record is. */
  ttlMs: null
  pollIntervalMs: number
}

type TaskState =
  | { status: 'working'; statusMessage: string }
  /** MCP's own client takes a result only with its type. */
  | { status: 'completed'; result: CallToolResult & { resultType: 'complete' } }
  | { status: 'cancelled' }

const paramsSchema = v.looseObject({ taskId: v.string() })

/** The tickets of a server: what its clients asked and do not wait for, and all that is a task. */
export const ticketsOf = (channel: RunnerChannel, settings: CallSettings): Tickets => {
  const { timeoutMs, timeoutPolicy, clock, runId, onWarning } = settings
  const asking = { timeoutMs, timeoutPolicy, clock, runId, onWarning }
  return new Tickets(channel, { ...asking, toolName: MCP_TOOL.name, comesBack: true })
}

/** The task of a question as it stands. */
export async function taskOf(
  { channel }: Pick<Tickets, 'channel'>,
  ticket: Ticket,
  place: string | undefined,
): Promise<Task> {
  const now = await ticket.now()
  return now.kind === 'open' ? workingTask(now.record, place) : endedTask(channel, now.outcome)
}

/** Lets the clients of a server ask for tasks. An earlier server may have begun them. */
export function serveTasks(
  server: Server,
  tickets: Tickets,
  place: string | undefined,
  capabilitiesOf: (ctx: ServerContext) => ClientCapabilities | undefined,
): void {
  const find = async (taskId: string): Promise<Ticket> => {
    const found = await tickets.find(taskId)
    if (found) return found
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'There is no such task. Call the tool again to ask again',
    )
  }
  const handle = (method: string, reply: (ticket: Ticket) => Promise<object>): void =>
    server.setRequestHandler(method, { params: paramsSchema }, async ({ taskId }, ctx) => {
      if (!ctx.mcpReq.envelope) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
      if (!takesTasks(capabilitiesOf(ctx)))
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS]: {} } },
        })
      return { ...(await reply(await find(taskId))) }
    })
  handle('tasks/get', (ticket) => taskOf(tickets, ticket, place))
  // A task of ours asks its client nothing. What answers nothing is passed over, as the extension says.
  handle('tasks/update', async (ticket) => {
    await ticket.now()
    return {}
  })
  handle('tasks/cancel', async (ticket) => {
    await ticket.now()
    ticket.withdraw()
    await ticket.outcome
    return {}
  })
}

/** Whether a client of 2026 declares the extension. */
export const takesTasks = ({ extensions }: ClientCapabilities = {}): boolean =>
  extensions?.[TASKS] !== undefined

const factsOf = (taskId: string, createdAt: string, lastUpdatedAt: string): TaskFacts => ({
  taskId,
  createdAt,
  lastUpdatedAt,
  ttlMs: null,
  pollIntervalMs: POLL_MS,
})

const workingTask = ({ toolCallId, askedAt }: QuestionRecord, place: string | undefined): Task => ({
  ...factsOf(toolCallId, askedAt, askedAt),
  status: 'working',
  statusMessage: waitingText(place),
})

async function endedTask(channel: RunnerChannel, outcome: Outcome): Promise<Task> {
  const { toolCallId, settledAt, elapsedMs } = outcome
  const askedAt = new Date(Date.parse(settledAt) - elapsedMs).toISOString()
  const facts = factsOf(toolCallId, askedAt, settledAt)
  if (outcome.kind === 'aborted') return { ...facts, status: 'cancelled' }
  const result = await withFiles(channel, outcome, formatToolResult(outcome))
  return { ...facts, status: 'completed', result: { ...result, resultType: 'complete' } }
}
