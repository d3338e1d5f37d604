import type { HookCallbackMatcher } from '@anthropic-ai/claude-agent-sdk'
import { AskError } from '@sandagent/core'
import { CLAUDE_TOOL } from '@sandagent/core/dialects/claude'
import type { Askers } from './askers.ts'
import type { Asking } from './asking.ts'
import { questionRequest } from './permission.ts'

/** The binary gives up on a hook after this many seconds. The longest timer that there is holds it. */
const HOOK_SECONDS = 2_000_000

/**
 * A `PreToolUse` hook that waits for the answer to a question and, when there is none after `waitMs` milliseconds,
 * lets the run end. The session keeps the call: when it is resumed, the binary makes it again, and it adopts the
 * question. Of several calls that are deferred at once the binary makes only one again and forgets the others, with
 * their answers. So a question is deferred only when nothing else waits.
 */
export const deferHook = (
  asking: Asking,
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
        const outcome = await asking.askFor(waitMs, request, { alone: true, signal })
        if (outcome !== null) return {}
      } catch (error) {
        // canUseTool comes next, meets the same and tells the model.
        if (error instanceof AskError) return {}
        throw error
      }
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } }
    },
  ],
})
