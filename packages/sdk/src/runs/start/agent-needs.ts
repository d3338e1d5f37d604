/** What an agent needs from the host to work in an isolated sandbox. */
export interface AgentNeeds {
  hosts: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

/** They hold its key and the address of its API. Its folder on the host is hidden inside. */
const CLAUDE_VARIABLES = /^(ANTHROPIC|CLAUDE)_(?!CONFIG_DIR$)/

const CLAUDE_API = 'https://api.anthropic.com'

/**
 * What the agent of a run needs. Claude Code needs the host of its API and its own variables, other agents need nothing.
 *
 * @param environment that of this process, with the variables that are set for the run
 */
export function agentNeeds(
  agent: string,
  environment: Readonly<Record<string, string | undefined>>,
): AgentNeeds {
  if (agent !== 'claude') return { hosts: [], env: {} }
  const { host, port, protocol } = new URL(environment.ANTHROPIC_BASE_URL || CLAUDE_API)
  const env = Object.entries(environment).filter(([name]) => CLAUDE_VARIABLES.test(name))
  return {
    hosts: [port === '' ? `${host}:${protocol === 'http:' ? 80 : 443}` : host],
    env: Object.fromEntries(env),
  }
}
