import type { OnElicitation } from '@anthropic-ai/claude-agent-sdk'
import { digestOf, type Outcome } from '@sandagent/core/internal'
import { elicit } from '../../mcp/elicitation.ts'
import { UnusedIds } from '../../run/unused-ids.ts'
import type { ClaudeQuestions } from './questions.ts'

/**
 * Makes the `onElicitation` of a session: what its MCP servers ask reaches a person, a page to open as well as a form. The
 * binary does not say which tool call asks. So the id is made of the session and of what is asked. A session may be resumed
 * after its process was killed. The server then asks the same again, and takes up its question and the answer given meanwhile.
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
  const ids = new UnusedIds()
  return async ({ serverName, mode, message, url, requestedSchema }, { signal }) => {
    const params = { mode, message, url, requestedSchema }
    const asked = [sessionId(), serverName, params]
    return elicit(params, {
      // The same once more is another question.
      id: ids.for(`elicitation-${digestOf(asked).slice(0, 32)}`),
      ids,
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
