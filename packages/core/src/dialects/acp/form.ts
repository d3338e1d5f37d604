import type { Question } from '../../question/question.ts'
import { CLAUDE_META } from '../mcp/field.ts'
import { type ElicitationForm, formOf } from '../mcp/form.ts'

/** What an elicitation belongs to: a session, and a tool call in it; or a request, before there is a session. */
export type AcpScope = { sessionId: string; toolCallId?: string } | { requestId: string | number }

/**
 * Writes questions as a form that any client of ACP can show, as `formatRequest` of the MCP dialect does. Here an option has a
 * description of its own. Its preview stands where the adapter of Claude Code writes one.
 */
export const formatRequest = (
  questions: readonly Question[],
  scope: AcpScope,
): ElicitationForm & AcpScope => ({
  ...formOf(questions, {
    optionDetails: ({ description, preview }) => ({
      ...(description?.trim() && { description }),
      ...(preview?.trim() && { _meta: { [CLAUDE_META]: { preview } } }),
    }),
  }),
  ...scope,
})
