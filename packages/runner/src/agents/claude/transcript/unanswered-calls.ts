import type { SessionMessage } from '@anthropic-ai/claude-agent-sdk'
import { describeOutcome, type Outcome } from '@sandagent/core'
import { CLAUDE_TOOL } from '@sandagent/core/dialects/claude'
import type { CallWriter } from '../../../run/call-writer.ts'
import { toolResultOf } from '../../../run/tool-result.ts'
import { questionRequest } from '../permission.ts'
import type { ClaudeQuestions } from '../questions.ts'

export interface QuestionCall {
  toolCallId: string
  input: unknown
}

/** The binary's note when its runner stopped during a call. The call then wrongly looks rejected by the user. */
const INTERRUPTED = '[Request interrupted by user for tool use]'

/** The questions of the model's last message that have no answer, because the run was deferred or stopped. */
export function unansweredCalls(transcript: readonly SessionMessage[]): QuestionCall[] {
  const calls = new Map<string, QuestionCall>()
  const answered = new Set<string>()
  const refused = new Set<string>()
  let isInterrupted = false
  let last: string | undefined
  for (const { type, message } of transcript) {
    const { id, content } = message as { id?: string; content?: unknown }
    if (type === 'assistant' && id !== last) {
      last = id
      calls.clear()
      isInterrupted = false
    }
    for (const block of Array.isArray(content) ? (content as (Block | null)[]) : []) {
      if (!block) continue
      if (block.type === 'tool_use' && block.name === CLAUDE_TOOL.name)
        calls.set(block.id, { toolCallId: block.id, input: block.input })
      if (block.type === 'tool_result') (block.is_error ? refused : answered).add(block.tool_use_id)
      if (block.type === 'text' && block.text === INTERRUPTED) isInterrupted = true
    }
  }
  return [...calls.values()].filter(
    ({ toolCallId }) => !answered.has(toolCallId) && (isInterrupted || !refused.has(toolCallId)),
  )
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; tool_use_id: string; is_error?: boolean }

/**
 * @param waitMs in milliseconds; `undefined` for ever
 * @returns the outcomes as text for the model, which waits for no call; `null` when an answer is still missing
 */
export async function askAgain(
  left: readonly QuestionCall[],
  questions: ClaudeQuestions,
  calls: CallWriter,
  runId: string,
  waitMs: number | undefined,
): Promise<string | null> {
  const outcomes = await Promise.all(
    left.map(async ({ toolCallId, input }) => {
      const request = questionRequest(toolCallId, input, runId)
      const outcome = await (waitMs === undefined
        ? questions.ask(request)
        : questions.askFor(waitMs, request))
      if (outcome) await calls.end(toolCallId, toolResultOf(outcome))
      return outcome
    }),
  )
  const known = outcomes.filter((outcome) => outcome !== null)
  return known.length < outcomes.length ? null : tellOutcomes(known)
}

const tellOutcomes = (outcomes: readonly Outcome[]): string =>
  [
    'The session broke off while you waited for the user; nothing was rejected.',
    ...outcomes.map(describeOutcome),
  ].join('\n\n')
