import type { HookCallbackMatcher } from '@anthropic-ai/claude-agent-sdk'
import { AskError } from '@sandagent/core'
import { CLAUDE_TOOL } from '@sandagent/core/dialects/claude'
import type { Askers } from './askers.ts'
import { questionRequest } from './permission.ts'
import type { ClaudeQuestions } from './questions.ts'

/** The time limit of the hook. It is close to the longest time that a timer takes. */
const HOOK_SECONDS = 2_000_000

/**
 * A `PreToolUse` hook that ends the run when a question has no answer after `waitMs` milliseconds. When the session is
 * resumed, the binary makes the call again, and the call adopts its question. The binary does so only for one call. So a
 * question is deferred only when nothing else waits.
 */
export const deferHook = (
  questions: ClaudeQuestions,
  askers: Askers,
  runId: string,
  waitMs: number,
): HookCallbackMatcher => ({
  matcher: CLAUDE_TOOL.name,
  timeout: HOOK_SECONDS,
  hooks: [
    async (input, _, { signal }) => {
      if (input.hook_event_name !== 'PreToolUse') return {}
      try {
        const asker = await askers.of(input.tool_use_id, input.agent_id)
        const request = {
          ...questionRequest(input.tool_use_id, input.tool_input, runId),
          ...(asker && { asker }),
        }
        const outcome = await questions.askFor(waitMs, request, { alone: true, signal })
        if (outcome !== null) return {}
      } catch (error) {
        // canUseTool is called next. It gets the same error and denies the call.
        if (error instanceof AskError) return {}
        throw error
      }
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } }
    },
  ],
})
