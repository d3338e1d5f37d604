/** What an agent needs of the host's to work in a sandbox that keeps everything from it. */
export interface AgentNeeds {
  hosts: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

/** Its own variables hold its key, and where its API is. Its folder on the host is hidden inside. */
const CLAUDE_VARIABLES = /^(ANTHROPIC|CLAUDE)_(?!CONFIG_DIR$)/

const CLAUDE_API = 'https://api.anthropic.com'

/**
 * What the agent of a run needs: Claude Code the host of its API and its own variables, every other one nothing.
 *
 * @param environment that of this process, with what was set for the run
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
