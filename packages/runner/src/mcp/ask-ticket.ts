import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { formatToolResult, MCP_TICKET_TOOLS, parseToolCall } from '@sandagent/core/dialects/mcp'
import { describeTicket, type Outcome } from '@sandagent/core/internal'
import { noTicket, parseCheckCall } from '../ask/check-call.ts'
import type { Standing, Tickets } from '../ask/tickets.ts'
import { callIdIn } from './ask-channel.ts'
import { type CallSettings, signalOf } from './call.ts'
import { withProgress } from './progress.ts'
import { withFiles } from './with-files.ts'

/** Asks, and gives the ticket of the question. */
export async function askTicket(
  tickets: Tickets,
  input: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
  settings: CallSettings,
): Promise<CallToolResult> {
  const ticket = tickets.begin(callIdIn(ctx), parseToolCall(input, MCP_TICKET_TOOLS.ask), false)
  return resultOf(tickets, await ticket.now(), settings)
}

/**
 * Tells how the question of a ticket stands.
 *
 * @throws AskError `NOT_FOUND` for an unknown ticket
 */
export async function checkTicket(
  tickets: Tickets,
  input: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
  settings: CallSettings,
): Promise<CallToolResult> {
  const { ticket: id, action } = parseCheckCall({ ticket: input.ticket, action: input.action })
  const ticket = await tickets.find(id)
  if (!ticket) throw noTicket(id)
  const standing = await ticket.now()
  // The model has what it wanted.
  const isMeant = (outcome: Outcome | undefined): boolean =>
    action === 'withdraw' && outcome?.kind === 'aborted'
  if (standing.kind === 'ended' || action === 'look') {
    if (standing.kind === 'ended') ticket.takers++
    const result = await resultOf(tickets, standing, settings)
    return standing.kind === 'ended' && isMeant(standing.outcome) ? { ...result, isError: false } : result
  }
  ticket.takers++
  if (action === 'withdraw') ticket.withdraw()
  const { progressMs: everyMs, clock, place } = settings
  const outcome = await withProgress(ctx, { everyMs, clock, place }, () => {
    // A client that stops waiting leaves the question open.
    const gone = new Promise<undefined>((resolve) =>
      signalOf(ctx).addEventListener('abort', () => resolve(undefined), { once: true }),
    )
    return Promise.race([ticket.outcome, gone])
  })
  if (outcome === undefined) ticket.takers--
  const result = await resultOf(tickets, outcome ? { kind: 'ended', outcome } : standing, settings)
  return isMeant(outcome) ? { ...result, isError: false } : result
}

async function resultOf(
  { channel }: Pick<Tickets, 'channel'>,
  standing: Standing,
  { answerComes = BY_ITSELF }: CallSettings,
): Promise<CallToolResult> {
  if (standing.kind === 'ended')
    return withFiles(channel, standing.outcome, formatToolResult(standing.outcome))
  const { toolCallId, questions } = standing.record
  const text = describeTicket(toolCallId, questions, answerComes)
  return {
    content: [{ type: 'text', text }],
    structuredContent: { kind: 'open', text, ticket: toolCallId },
  }
}

/** MCP has no message from a server to a model. */
const BY_ITSELF =
  'The answer does not come by itself: look with check_question at times, and wait for it before you finish.'
