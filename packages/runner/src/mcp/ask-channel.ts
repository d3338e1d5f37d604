import { randomUUID } from 'node:crypto'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import type { RunnerChannel } from '@sandagent/core'
import { formatToolResult, MCP_TOOL, parseToolCall } from '@sandagent/core/dialects/mcp'
import { askUser } from '../ask/ask-user.ts'
import { type CallSettings, signalOf } from './call.ts'
import { withProgress } from './progress.ts'

/** Claude Code and Codex name their tool call here: by that id a page finds the question of a call that it shows. */
const CALL_IDS = ['claudecode/toolUseId', 'callId']

/** Asks on the channel. The client's cancellation, and its going away, withdraw the question. */
export async function askChannel(
  channel: RunnerChannel,
  input: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
  { runId, timeoutMs, clock, progressMs, place, timeoutPolicy, onWarning }: CallSettings,
): Promise<CallToolResult> {
  const id = CALL_IDS.map((key) => ctx.mcpReq._meta?.[key]).find((value) => typeof value === 'string')
  const request = {
    toolCallId: typeof id === 'string' ? id : `mcp-${randomUUID()}`,
    toolName: MCP_TOOL.name,
    questions: parseToolCall(input),
    runId,
  }
  const signal = signalOf(ctx)
  const outcome = await withProgress(ctx, { everyMs: progressMs, clock, place }, () =>
    askUser(channel, request, {
      timeoutMs,
      clock,
      signal,
      ...(timeoutPolicy && { timeoutPolicy }),
      ...(onWarning && { onWarning }),
    }),
  )
  return { ...formatToolResult(outcome) }
}
