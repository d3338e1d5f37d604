import { beginOperation, observed } from '@sandagent/core/internal'
import { noteSaid } from '../ask/asked-back.ts'
import type { Agent, AgentRun } from './agent.ts'
import type { UiStream } from './ui-stream.ts'

/**
 * Runs an agent. Writes the start of its message, then finish, abort or error, and the end of the stream.
 *
 * @throws errors of the agent, after they are written.
 */
export async function runAgent(agent: Agent, given: AgentRun): Promise<void> {
  const { signal, runId, agentName, channel } = given
  const ui = heard(given.ui, (text) => noteSaid(channel, runId, text))
  const run = { ...given, ui }
  await ui.start(`message-${runId}`)
  try {
    await observed(beginOperation({ name: 'run', runId, agent: agentName }), () => agent(run))
    await (signal.aborted ? ui.abort() : ui.finish())
  } catch (error) {
    await ui.error(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    await ui.done()
  }
}

/** The same stream. What the agent says there answers what a person asked back. */
const heard = (ui: UiStream, onText: (text: string) => void): UiStream => ({
  ...ui,
  textDelta(id, delta) {
    onText(delta)
    return ui.textDelta(id, delta)
  },
  textEnd(id) {
    onText('\n\n')
    return ui.textEnd(id)
  },
})
