import { type Run, type RunRequest, type RunSandbox, streamRun } from '@sandagent/sdk'
import { type AgentName, KEYS } from './choose-agent.ts'
import { sessionIn } from './session-in.ts'

/** What `startRun` needs to know of a run. */
type AgentRequest = Pick<RunRequest, 'agent' | 'args' | 'continues' | 'passEnv' | 'prompt' | 'runId'>

/** The agent of the demo. `earlier` are the runs of the chat, oldest first. */
export interface DemoAgent {
  name: AgentName
  /** The run that answers a message of the user. */
  answer(prompt: string, earlier: readonly Run[]): Promise<AgentRequest>
  /** The run that goes on where the last one broke off. */
  restart(last: Run, earlier: readonly Run[]): Promise<AgentRequest>
}

/** Follows a scenario. Started again under the same id, it adopts its open question or the answer. */
export function scriptedAgent(scenario: string): DemoAgent {
  const request = { agent: 'scripted', args: ['--scenario', scenario] }
  return {
    name: 'scripted',
    answer: async (prompt) => ({ ...request, prompt }),
    restart: async ({ prompt, runId }) => ({ ...request, prompt, runId }),
  }
}

/** Claude Code. Each run goes on with the session of the chat, and may take up its open question. */
export function claudeAgent(sandbox: RunSandbox): DemoAgent {
  // Elsewhere it gets the key only because it is named.
  const passed = sandbox.hostFolder === undefined ? { passEnv: KEYS } : {}
  const requestAfter = async (earlier: readonly Run[]) => {
    const runs = earlier.filter(({ agent }) => agent === 'claude')
    for (const { runId } of runs.toReversed()) {
      const session = await sessionIn(await streamRun(sandbox, runId))
      const continues = runs.map((run) => run.runId)
      if (session) return { agent: 'claude', args: ['--resume', session], continues, ...passed }
    }
    return { agent: 'claude', ...passed }
  }
  return {
    name: 'claude',
    answer: async (prompt, earlier) => ({ ...(await requestAfter(earlier)), prompt }),
    async restart(last, earlier) {
      const request = await requestAfter(earlier)
      return { ...request, prompt: 'args' in request ? 'Go on where you stopped' : last.prompt }
    },
  }
}
