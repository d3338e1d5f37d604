import { createRequire } from 'node:module'

export type AgentName = 'claude' | 'scripted'

/** Variables with which Claude Code signs in. */
export const KEYS: readonly string[] = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
]

/**
 * The agent to run: the one that is named, else on this machine Claude Code if there is an API key.
 *
 * @throws Error that says in one line why that agent cannot run.
 */
export function chooseAgent(
  agent: string | undefined,
  environment: NodeJS.ProcessEnv,
  { isHere }: { isHere: boolean },
): AgentName {
  // A key goes to another machine only if somebody says so.
  const name = agent ?? (isHere && environment.ANTHROPIC_API_KEY ? 'claude' : 'scripted')
  if (name === 'scripted') return name
  if (name !== 'claude') throw new Error(`--agent takes claude or scripted, not ${JSON.stringify(name)}`)
  if (!KEYS.some((key) => environment[key]))
    throw new Error('Claude Code needs a key: set ANTHROPIC_API_KEY, or start with --agent scripted')
  if (isHere && !isInstalled('@anthropic-ai/claude-agent-sdk'))
    throw new Error(
      '@anthropic-ai/claude-agent-sdk is not installed: npm install, or start with --agent scripted',
    )
  return name
}

/** Whether the runner finds a package. */
function isInstalled(name: string): boolean {
  const command = createRequire(import.meta.url).resolve('sandagent/package.json')
  const runner = createRequire(command).resolve('@sandagent/runner')
  try {
    createRequire(runner).resolve(name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}
