import { readFile } from 'node:fs/promises'
import { AskError, parseJson } from '@sandagent/core'
import { type Agent, commandAgent, parseScenario, scriptedAgent } from '@sandagent/runner'
import { claudeAgent } from '@sandagent/runner/claude'
import type { AgentArgs } from './run-args.ts'

/**
 * The agent that a command line names.
 *
 * @throws AskError `NOT_FOUND` and `INVALID_FILE` for a scenario that cannot be used.
 */
export async function agentOf(agent: AgentArgs): Promise<Agent> {
  if (agent.name === 'command') return commandAgent(agent.command, agent.args)
  if (agent.name === 'claude') return claudeAgent(agent.options)
  const what = `The scenario ${agent.scenario} cannot be used`
  return scriptedAgent(parseScenario(parseJson(await readText(agent.scenario), 'INVALID_FILE', what)))
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new AskError('NOT_FOUND', `There is no file ${path}`, { cause })
    if (code === 'EISDIR')
      throw new AskError('INVALID_FILE', `${path} is a folder, not a scenario`, { cause })
    throw cause
  }
}
