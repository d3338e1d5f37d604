import type { CanUseTool, PermissionResult } from '@anthropic-ai/claude-agent-sdk'
import { CLAUDE_TOOL, formatResult, parseRequest } from '@sandagent/core/dialects/claude'
import { type ApprovalReason, AskError, notRunText, reasonsOf } from '@sandagent/core/internal'
import type { AskRequest } from '../../ask/ask-request.ts'
import { approvalQuestionFor, permissionOf } from './approval.ts'
import type { Askers } from './askers.ts'
import type { ClaudeEdits } from './edits.ts'
import type { ClaudeQuestions } from './questions.ts'

/** Makes the `canUseTool` of a `query()`. It asks the model's questions, and for permission to run other tools. */
export const canUseToolBy =
  (
    questions: ClaudeQuestions,
    {
      runId,
      takesUnanswered,
      askers,
      edits,
    }: {
      runId: string
      takesUnanswered?: (() => boolean) | undefined
      /** Without it, a subagent has no name. */
      askers?: Askers
      /** Tells the model of an edit. */
      edits: ClaudeEdits
    },
  ): CanUseTool =>
  async (toolName, input, request) => {
    const { toolUseID: toolCallId, agentID, signal, suggestions } = request
    try {
      const asker = agentID === undefined ? undefined : ((await askers?.of(toolCallId, agentID)) ?? {})
      const by = asker && { asker }
      if (toolName === CLAUDE_TOOL.name) {
        const outcome = await questions.ask({ ...questionRequest(toolCallId, input, runId), ...by }, signal)
        const result = formatResult(outcome, { input, takesUnanswered: takesUnanswered?.() ?? false })
        return 'output' in result
          ? { behavior: 'allow', updatedInput: result.output }
          : deny(result.errorText)
      }
      const reasons = reasonsIn(request)
      const why = reasons.length > 0 && { reasons }
      const subject = { toolName, input, ...why, editable: true as const }
      const outcome = await questions.ask(
        {
          toolCallId,
          toolName,
          kind: 'approval',
          questions: [approvalQuestionFor(subject, request)],
          subject,
          takesQuestions: true,
          runId,
          ...by,
        },
        signal,
      )
      edits.note(subject, outcome)
      return permissionOf(outcome, subject, suggestions)
    } catch (error) {
      // For instance, the input is too long to show.
      if (error instanceof AskError) return deny(notRunText(toolName, error.message))
      throw error
    }
  }

/** @throws AskError `INVALID_QUESTIONS` with every fault. */
export const questionRequest = (toolCallId: string, input: unknown, runId: string): AskRequest => ({
  toolCallId,
  toolName: CLAUDE_TOOL.name,
  questions: parseRequest(input),
  takesQuestions: true,
  runId,
})

const deny = (message: string): PermissionResult => ({ behavior: 'deny', message })

/** What the model reads where nobody is there. */
export const denial = (toolName: string): PermissionResult =>
  deny(
    toolName === CLAUDE_TOOL.name
      ? 'Nobody is there to answer. Decide yourself, and say which assumptions you make.'
      : `${toolName} was not run: it needs a permission, and nobody is there to give it. Go on without it, or stop and say what you need.`,
  )

type PermissionRequest = Parameters<CanUseTool>[2]

/**
 * Why the binary asks. Its rules and checks say what made it ask; what they name of the call or of a settings file stands in
 * quotes. A title and a description are made of the model's input, or are the model's own sentences: they count as the
 * agent's words.
 */
function reasonsIn({
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
