import { createRequire } from 'node:module'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { foreignKeys, MCP_TICKET_TOOLS, MCP_TOOL, parseToolCall } from '@sandagent/core/dialects/mcp'
import {
  AskError,
  type AskedQuestion,
  hasSecret,
  httpStatusOf,
  readQuestions,
  type ToolDefinition,
} from '@sandagent/core/internal'
import type { Tickets } from '../ask/tickets.ts'
import { askChannel, callIdIn } from './ask-channel.ts'
import { askClient } from './ask-client.ts'
import { askTicket, checkTicket } from './ask-ticket.ts'
import type { CallSettings } from './call.ts'
import { serveTasks, TASKS, takesTasks, taskOf } from './tasks.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

const offered = (tool: ToolDefinition, title: string): Tool => ({
  ...tool,
  // Both are JSON Schema; the SDK's type has no bounds.
  inputSchema: tool.inputSchema as unknown as Tool['inputSchema'],
  title,
  // The tool changes nothing, so clients need not ask for permission.
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  // Without this, Claude Code shows its model only the name.
  _meta: { 'anthropic/alwaysLoad': true },
})

const TOOL = offered(MCP_TOOL, 'Ask the user')
const TICKET_TOOLS = [
  offered(MCP_TICKET_TOOLS.ask, 'Ask the user'),
  offered(MCP_TICKET_TOOLS.check, 'Check a question'),
]

/**
 * An MCP server with one tool, or two with tickets, for one connection (2025) or request (2026). It offers them only if
 * somebody can answer.
 *
 * @param calls gets the running calls, so that the caller can wait for their end
 * @param tickets are there where the server has a channel: they outlive the connection
 */
export function askServer(settings: CallSettings, calls: Set<Promise<unknown>>, tickets?: Tickets): Server {
  const { channel, via = channel ? 'channel' : 'client', place } = settings
  const extensions = tickets && { extensions: { [TASKS]: {} } }
  const server = new Server({ name: 'sandagent', version }, { capabilities: { tools: {}, ...extensions } })

  const routeFor = (ctx: ServerContext): 'client' | 'channel' | undefined => {
    if (via !== 'channel' && showsForms(capabilitiesOf(server, ctx))) return 'client'
    return via !== 'client' && channel ? 'channel' : undefined
  }

  const call = async (
    name: string,
    input: Readonly<Record<string, unknown>>,
    ctx: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> => {
    const route = routeFor(ctx)
    const withTickets = settings.tickets && route === 'channel' ? tickets : undefined
    const isCheck = withTickets && name === MCP_TICKET_TOOLS.check.name
    if ((name !== TOOL.name && !isCheck) || route === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
    const tool = withTickets ? MCP_TICKET_TOOLS[isCheck ? 'check' : 'ask'] : MCP_TOOL
    const carryOut = async (): Promise<CallToolResult | InputRequiredResult> => {
      if (isCheck) return checkTicket(withTickets, input, ctx, settings)
      const isTask = tickets && ctx.mcpReq.envelope && takesTasks(capabilitiesOf(server, ctx))
      const isBlocking = !withTickets || input.blocking !== false
      if (withTickets && !isBlocking && !isTask) return askTicket(withTickets, input, ctx, settings)
      const inChannel = isTask
        ? () => asTask(tickets, callIdIn(ctx), parseToolCall(input, tool), { isBlocking, place })
        : channel && (() => askChannel(channel, input, ctx, settings))
      // The protocol forbids to ask for secrets in forms.
      const isHidden = via === 'auto' && hasSecret(readQuestions(input))
      if ((route === 'channel' || isHidden) && inChannel) return inChannel()
      const lists = !WITHOUT_LISTS.includes(clientNameOf(server, ctx))
      return askClient(input, ctx, settings, { lists, elsewhere: via === 'auto' ? inChannel : undefined })
    }
    try {
      return withNote(await carryOut(), foreignKeys(input, tool))
    } catch (error) {
      const failed = {
        content: [{ type: 'text' as const, text: failureOf(error, settings, isCheck) }],
        isError: true,
      }
      return withNote(failed, foreignKeys(input, tool))
    }
  }

  if (tickets) serveTasks(server, tickets, place, (ctx) => capabilitiesOf(server, ctx))
  server.setRequestHandler('tools/list', (_, ctx) => {
    const route = routeFor(ctx)
    if (!route) return { tools: [] }
    return { tools: settings.tickets && route === 'channel' ? TICKET_TOOLS : [TOOL] }
  })
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const calling = call(params.name, params.arguments ?? {}, ctx)
    // The client is told what failed.
    const ended = calling.catch(() => {}).finally(() => calls.delete(ended))
    calls.add(ended)
    return calling
  })
  return server
}

/** The keys of a call that were passed over, for the model that may have misspelt one. */
function withNote<R extends CallToolResult | InputRequiredResult>(result: R, keys: readonly string[]): R {
  const { content, structuredContent } = result as Partial<CallToolResult>
  const data = structuredContent as { text?: string } | undefined
  if (keys.length === 0 || !content?.length) return result
  const text = `These keys were passed over, because the tool has none of them: ${JSON.stringify(keys.slice(0, 10).map((key) => key.slice(0, 100)))}`
  return {
    ...result,
    content: [...content, { type: 'text', text }],
    ...(data && { structuredContent: { ...data, text: `${data.text}\n${text}` } }),
  }
}

/** The task of a call; its result where the question has ended already. */
async function asTask(
  tickets: Tickets,
  toolCallId: string,
  questions: readonly AskedQuestion[],
  { isBlocking, place }: { isBlocking: boolean; place: string | undefined },
): Promise<CallToolResult> {
  const task = await taskOf(
    tickets,
    tickets.begin(toolCallId, questions, isBlocking ? undefined : false),
    place,
  )
  return task.status === 'completed' ? { ...task.result } : { ...task, resultType: 'task', content: [] }
}

const UNABLE =
  'The user could not be asked: this server cannot reach them at the moment. This is not a decision of theirs. Go on without it, or stop and say what you need.'

/** The model reads faults in its questions, which it can repair. Other failures are warnings for the operator. */
function failureOf(error: unknown, { onWarning }: CallSettings, isCheck = false): string {
  const status = error instanceof AskError ? httpStatusOf(error.code) : undefined
  if (error instanceof AskError && status !== undefined && status < 500)
    return isCheck ? error.message : `The user could not be asked. ${error.message}`
  const { code = 'INTERNAL', message = String(error), cause } = error as Error & { code?: string }
  onWarning?.({ code, message: cause instanceof Error ? `${message}: ${cause.message}` : message })
  return UNABLE
}

/** Clients that ask for a bare permission instead of showing a form with a list. */
const WITHOUT_LISTS = ['codex-mcp-client']

/** The SDK has checked it, but its type does not tell. */
type Envelope = {
  [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
  [CLIENT_INFO_META_KEY]?: { name?: string }
}

const clientNameOf = (server: Server, { mcpReq }: ServerContext): string =>
  (mcpReq.envelope
    ? (mcpReq.envelope as Envelope)[CLIENT_INFO_META_KEY]?.name
    : server.getClientVersion()?.name) ?? ''

/** Clients of 2026 send them with each request, clients of 2025 at the start of the connection. */
const capabilitiesOf = (server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined =>
  mcpReq.envelope
    ? (mcpReq.envelope as Envelope)[CLIENT_CAPABILITIES_META_KEY]
    : server.getClientCapabilities()

/** Elicitation without a mode means forms. */
const showsForms = ({ elicitation }: ClientCapabilities = {}): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
