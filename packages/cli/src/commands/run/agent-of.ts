import { readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AskError, parseJson } from '@sandagent/core/internal'
import { type Agent, createCommandAgent, createScriptedAgent, parseScenario } from '@sandagent/runner'
import type { AgentArgs } from './run-args.ts'

/** @throws AskError `NOT_FOUND` and `INVALID_FILE` for a scenario that cannot be used. */
export async function agentOf(agent: AgentArgs): Promise<Agent> {
  if (agent.name === 'command') return createCommandAgent(agent.command, agent.args)
  if (agent.name === 'claude') {
    const { createClaudeAgent } = await import('@sandagent/runner/claude')
    return createClaudeAgent(agent.options)
  }
  const what = `The scenario ${agent.scenario} cannot be used`
  return createScriptedAgent(parseScenario(parseJson(await readText(agent.scenario), 'INVALID_FILE', what)))
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT')
      throw new AskError('NOT_FOUND', `There is no file ${path}${await scenariosBeside(path)}`, { cause })
    if (code === 'EISDIR')
      throw new AskError('INVALID_FILE', `${path} is a folder, not a scenario`, { cause })
    throw cause
  }
}

/** Names the scenarios in the folder of a missing file. */
async function scenariosBeside(path: string): Promise<string> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => []) // No folder, no names.
  const scenarios = names.filter((name) => name.endsWith('.json')).sort()
  if (scenarios.length === 0) return ''
  const more = scenarios.length > MAX_NAMES ? ', …' : ''
  return `. In ${folder} there are: ${scenarios.slice(0, MAX_NAMES).join(', ')}${more}`
}

const MAX_NAMES = 10
