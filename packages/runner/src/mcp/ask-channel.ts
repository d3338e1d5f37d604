import { randomUUID } from 'node:crypto'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import type { RunnerChannel } from '@sandagent/core'
import { formatToolResult, MCP_TICKET_TOOLS, MCP_TOOL, parseToolCall } from '@sandagent/core/dialects/mcp'
import { askUser } from '../ask/ask-user.ts'
import { type CallSettings, signalOf } from './call.ts'
import { withProgress } from './progress.ts'
import { withFiles } from './with-files.ts'

/** Where Claude Code and Codex put the id of their tool call. A page finds the call's question by it. */
const CALL_IDS = ['claudecode/toolUseId', 'callId']

/** The id of the client's tool call, or a new one. */
export function callIdIn({ mcpReq }: ServerContext): string {
  const id = CALL_IDS.map((key) => mcpReq._meta?.[key]).find((value) => typeof value === 'string')
  return typeof id === 'string' ? id : `mcp-${randomUUID()}`
}

/** Asks on the channel. The question is withdrawn when the client cancels the call or disconnects. */
export async function askChannel(
  channel: RunnerChannel,
  input: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
  { runId, timeoutMs, clock, progressMs, place, tickets, timeoutPolicy, onWarning }: CallSettings,
): Promise<CallToolResult> {
  const request = {
    toolCallId: callIdIn(ctx),
    toolName: MCP_TOOL.name,
    questions: parseToolCall(input, tickets ? MCP_TICKET_TOOLS.ask : MCP_TOOL),
    takesQuestions: true,
    runId,
  }
  const options = { timeoutMs, timeoutPolicy, clock, signal: signalOf(ctx), onWarning }
  const outcome = await withProgress(ctx, { everyMs: progressMs, clock, place }, () =>
    askUser(channel, request, options),
  )
  return withFiles(channel, outcome, formatToolResult(outcome))
}
