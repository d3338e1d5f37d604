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
import { MCP_TOOL, parseToolCall } from '@sandagent/core/dialects/mcp'
import { AskError, hasSecret, httpStatusOf, readQuestions } from '@sandagent/core/internal'
import { askChannel, callIdIn } from './ask-channel.ts'
import { askClient } from './ask-client.ts'
import type { CallSettings } from './call.ts'
import { type AskTasks, TASKS, takesTasks } from './tasks.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

const TOOL: Tool = {
  ...MCP_TOOL,
  // Both are JSON Schema; the SDK's type has no bounds.
  inputSchema: MCP_TOOL.inputSchema as unknown as Tool['inputSchema'],
  title: 'Ask the user',
  // The tool changes nothing, so clients need not ask for permission.
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  // Without this, Claude Code shows its model only the name.
  _meta: { 'anthropic/alwaysLoad': true },
}

/**
 * An MCP server with one tool, for one connection (2025) or request (2026). It offers the tool only if somebody can
 * answer.
 *
 * @param calls gets the running calls, so that the caller can wait for their end
 * @param tasks are there where the server has a channel: they outlive the connection
 */
export function askServer(settings: CallSettings, calls: Set<Promise<unknown>>, tasks?: AskTasks): Server {
  const { channel, via = channel ? 'channel' : 'client' } = settings
  const extensions = tasks && { extensions: { [TASKS]: {} } }
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
    if (name !== TOOL.name || route === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
    try {
      const isTask = tasks && ctx.mcpReq.envelope && takesTasks(capabilitiesOf(server, ctx))
      const inChannel = isTask
        ? () => asTask(tasks, callIdIn(ctx), input)
        : channel && (() => askChannel(channel, input, ctx, settings))
      // The protocol forbids to ask for secrets in forms.
      const isHidden = via === 'auto' && hasSecret(readQuestions(input))
      if ((route === 'channel' || isHidden) && inChannel) return await inChannel()
      const lists = !WITHOUT_LISTS.includes(clientNameOf(server, ctx))
      return await askClient(input, ctx, settings, {
        lists,
        elsewhere: via === 'auto' ? inChannel : undefined,
      })
    } catch (error) {
      return { content: [{ type: 'text', text: failureOf(error, settings) }], isError: true }
    }
  }

  tasks?.serve(server, (ctx) => capabilitiesOf(server, ctx))
  server.setRequestHandler('tools/list', (_, ctx) => ({ tools: routeFor(ctx) ? [TOOL] : [] }))
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const calling = call(params.name, params.arguments ?? {}, ctx)
    const ended = calling.catch(() => {}).finally(() => calls.delete(ended))
    calls.add(ended)
    return calling
  })
  return server
}

/** The task of a call; its result where the question has ended already. */
async function asTask(
  tasks: AskTasks,
  toolCallId: string,
  input: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const task = await tasks.begin(toolCallId, parseToolCall(input))
  return task.status === 'completed' ? { ...task.result } : { ...task, resultType: 'task', content: [] }
}

const UNABLE =
  'The user could not be asked: this server cannot reach them at the moment. This is not a decision of theirs. Go on without it, or stop and say what you need.'

/** The model reads faults in its questions, which it can repair. Other failures are warnings for the operator. */
function failureOf(error: unknown, { onWarning }: CallSettings): string {
  const status = error instanceof AskError ? httpStatusOf(error.code) : undefined
  if (error instanceof AskError && status !== undefined && status < 500)
    return `The user could not be asked. ${error.message}`
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
