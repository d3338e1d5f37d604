import type { HookCallback, HookCallbackMatcher, HookEvent } from '@anthropic-ai/claude-agent-sdk'
import {
  type ApprovalSubject,
  allowedText,
  approvalIn,
  editText,
  type Outcome,
  planIn,
} from '@sandagent/core/internal'

/**
 * Tells the model what a person said or edited when they allowed a call: beside the result of the tool, which knows nothing of
 * it.
 */
export class ClaudeEdits {
  readonly #texts = new Map<string, string>()

  /** Remembers an allowed call until its tool has ended. */
  note(subject: ApprovalSubject, outcome: Outcome): void {
    const { decision, input, note } = approvalIn(outcome)
    if (decision === undefined || decision === 'deny') return
    // The binary itself tells of an edited plan.
    const isEdit = input !== undefined && planIn(subject) === undefined
    const text = isEdit ? editText(subject, input, note) : note && allowedText(subject, note)
    if (text) this.#texts.set(outcome.toolCallId, text)
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
