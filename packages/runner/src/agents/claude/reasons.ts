import type { CanUseTool } from '@anthropic-ai/claude-agent-sdk'
import { type ApprovalReason, reasonsOf } from '@sandagent/core/internal'

type PermissionRequest = Parameters<CanUseTool>[2]

/**
 * Why the binary asks. Its rules and checks say what made it ask; what they name of the call or of a settings file stands in
 * quotes. A title and a description are made of the model's input, or are the model's own sentences: they count as the
 * agent's words.
 */
export function reasonsIn({
  decisionReason,
  blockedPath,
  matchedAskRule,
  mcpServer,
  title,
  description,
}: Partial<PermissionRequest>): ApprovalReason[] {
  return reasonsOf({
    rule: [
      matchedAskRule &&
        `A rule of ${matchedAskRule.source} says to ask for ${JSON.stringify(ruleText(matchedAskRule))}`,
      decisionReason,
      blockedPath && `This path made it ask: ${JSON.stringify(blockedPath)}`,
      mcpServer && `An MCP server from ${mcpServer.source} has this tool: ${JSON.stringify(mcpServer.name)}`,
    ],
    agent: [title, description],
  })
}

const ruleText = ({ toolName, ruleContent }: NonNullable<PermissionRequest['matchedAskRule']>): string =>
  ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`
