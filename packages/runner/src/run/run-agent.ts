import { beginOperation, observed } from '@sandagent/core/internal'
import type { Agent, AgentRun } from './agent.ts'

/**
 * Runs an agent. Writes the start of its message, then finish, abort or error, and the end of the stream.
 *
 * @throws errors of the agent, after they are written.
 */
export async function runAgent(agent: Agent, run: AgentRun): Promise<void> {
  const { ui, signal, runId, agentName } = run
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
