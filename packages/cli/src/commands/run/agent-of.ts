import { readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AskError, isObject, parseJson } from '@sandagent/core/internal'
import { type Agent, createCommandAgent, createScriptedAgent, parseScenario } from '@sandagent/runner'
import type { ClaudeAgentOptions } from '@sandagent/runner/claude'
import type { AgentArgs } from './run-args.ts'

/** @throws AskError `NOT_FOUND` and `INVALID_FILE` for a file that cannot be used. */
export async function agentOf(agent: AgentArgs): Promise<Agent> {
  if (agent.name === 'command') return createCommandAgent(agent.command, agent.args)
  if (agent.name === 'claude') {
    const { createClaudeAgent } = await import('@sandagent/runner/claude')
    const mcpServers = agent.mcpConfig === undefined ? undefined : await mcpServersIn(agent.mcpConfig)
    return createClaudeAgent({ ...agent.options, mcpServers })
  }
  if (agent.name === 'acp') {
    const { createAcpAgent } = await import('@sandagent/runner/acp')
    return createAcpAgent(agent.options)
  }
  if (agent.name === 'ag-ui') {
    const { createAgUiAgent } = await import('@sandagent/runner/ag-ui')
    return createAgUiAgent(agent.options)
  }
  if (agent.name === 'codex') {
    const { createCodexAgent } = await import('@sandagent/runner/codex')
    return createCodexAgent(agent.options)
  }
  if (agent.name === 'eve') {
    const { createEveAgent } = await import('@sandagent/runner/eve')
    return createEveAgent(agent.options)
  }
  const what = `The scenario ${agent.scenario} cannot be used`
  const text = await readText(agent.scenario, 'scenario')
  return createScriptedAgent(parseScenario(parseJson(text, 'INVALID_FILE', what)))
}

/** The MCP servers of a file in the form of Claude Code's own `--mcp-config`. */
async function mcpServersIn(path: string): Promise<ClaudeAgentOptions['mcpServers']> {
  const what = `${path} cannot be used as --mcp-config`
  const config = parseJson(await readText(path, 'list of MCP servers'), 'INVALID_FILE', what)
  if (isObject(config) && isObject(config.mcpServers))
    return config.mcpServers as ClaudeAgentOptions['mcpServers']
  throw new AskError('INVALID_FILE', `${what}: write {"mcpServers": {"NAME": {"command": "…"}}}`)
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT')
      throw new AskError('NOT_FOUND', `There is no file ${path}${await jsonFilesBeside(path)}`, { cause })
    if (code === 'EISDIR') throw new AskError('INVALID_FILE', `${path} is a folder, not a ${what}`, { cause })
    throw cause
  }
}

/** Names the JSON files in the folder of a missing one. */
async function jsonFilesBeside(path: string): Promise<string> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => []) // No folder, no names.
  const files = names.filter((name) => name.endsWith('.json')).sort()
  if (files.length === 0) return ''
  const more = files.length > MAX_NAMES ? ', …' : ''
  return `. In ${folder} there are: ${files.slice(0, MAX_NAMES).join(', ')}${more}`
}

const MAX_NAMES = 10
