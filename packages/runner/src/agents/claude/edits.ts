import type { HookCallback, HookCallbackMatcher, HookEvent } from '@anthropic-ai/claude-agent-sdk'
import { type ApprovalSubject, approvalIn, editText, type Outcome } from '@sandagent/core/internal'

/** Tells the model which calls a person edited: beside the result of the tool, which knows nothing of it. */
export class ClaudeEdits {
  readonly #texts = new Map<string, string>()

  /** Remembers an edited call until its tool has ended. */
  note(subject: ApprovalSubject, outcome: Outcome): void {
    const { input, note } = approvalIn(outcome)
    if (input !== undefined) this.#texts.set(outcome.toolCallId, editText(subject, input, note))
  }

  /** For the options of a session. */
  readonly hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> = {
    PostToolUse: [{ hooks: [(input) => this.#tell(input)] }],
    PostToolUseFailure: [{ hooks: [(input) => this.#tell(input)] }],
  }

  async #tell(input: Parameters<HookCallback>[0]): ReturnType<HookCallback> {
    if (input.hook_event_name !== 'PostToolUse' && input.hook_event_name !== 'PostToolUseFailure') return {}
    const additionalContext = this.#texts.get(input.tool_use_id)
    if (additionalContext === undefined) return {}
    this.#texts.delete(input.tool_use_id)
    return { hookSpecificOutput: { hookEventName: input.hook_event_name, additionalContext } }
  }
}
