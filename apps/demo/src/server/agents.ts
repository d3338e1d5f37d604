import { type Run, type RunRequest, type RunSandbox, streamRun } from '@sandagent/sdk'
import { sessionIn } from './session-in.ts'

/** What `startRun` needs to know of a run. */
type AgentRequest = Pick<RunRequest, 'agent' | 'args' | 'continues' | 'prompt' | 'runId'>

/** The agent of the demo. `earlier` are the runs of the chat, oldest first. */
export interface DemoAgent {
  name: 'claude' | 'scripted'
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
  const requestAfter = async (earlier: readonly Run[]) => {
    const runs = earlier.filter(({ agent }) => agent === 'claude')
    for (const { runId } of runs.toReversed()) {
      const session = await sessionIn(await streamRun(sandbox, runId))
      const continues = runs.map((run) => run.runId)
      if (session) return { agent: 'claude', args: ['--resume', session], continues }
    }
    return { agent: 'claude' }
  }
  return {
    name: 'claude',
    answer: async (prompt, earlier) => ({ ...(await requestAfter(earlier)), prompt }),
    async restart(last, earlier) {
      const request = await requestAfter(earlier)
      return { ...request, prompt: request.args ? 'Go on where you stopped' : last.prompt }
    },
  }
}
