import { createHash } from 'node:crypto'
import type { OnElicitation } from '@anthropic-ai/claude-agent-sdk'
import type { Outcome } from '@sandagent/core'
import { elicit } from '../../mcp/elicitation.ts'
import type { ClaudeQuestions } from './questions.ts'

/**
 * Makes the `onElicitation` of a session: what its MCP servers ask reaches a person, a page to open as well as a form. The binary
 * does not say which tool call asks. So the id is made of the session and of what is asked. A session may be resumed after its
 * process was killed. The server then asks the same again, and takes up its question and the answer given meanwhile.
 *
 * @param sessionId is called with each request
 * @param onElicited is called when a question has ended
 */
export function elicitationsBy(
  questions: ClaudeQuestions,
  {
    runId,
    sessionId,
    onElicited,
  }: {
    runId: string
    sessionId: () => string
    onElicited?: (outcome: Outcome) => Promise<void>
  },
): OnElicitation {
  const counts = new Map<string, number>()
  return async ({ serverName, mode, message, url, requestedSchema }, { signal }) => {
    const params = { mode, message, url, requestedSchema }
    const asked = JSON.stringify([sessionId(), serverName, params])
    // The same once more is another question.
    const count = (counts.get(asked) ?? 0) + 1
    counts.set(asked, count)
    return elicit(params, {
      id: `elicitation-${createHash('sha256').update(`${count} ${asked}`).digest('hex').slice(0, 32)}`,
      from: serverName,
      async ask(request) {
        const settings = { isNew: true, takesDrafts: false }
        const outcome = await questions.ask({ ...request, runId }, signal, settings)
        await onElicited?.(outcome)
        return outcome
      },
    })
  }
}
