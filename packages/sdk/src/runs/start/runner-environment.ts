import { PASSKEYS_VARIABLE, PUBLIC_KEYS_VARIABLE, type RunPasskeys } from '@sandagent/core/internal'
import { SIGNING_KEY_VARIABLE } from '../../sandbox/host-config.ts'
import type { SigningKeys } from '../../signing/signing-keys.ts'
import { KNOWN_WORKDIRS_VARIABLE } from '../enter-workdir.ts'
import type { RunRequest } from './run-request.ts'

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

/** By what a runner knows whose answers count. */
export interface RunTrust {
  signingKeys: SigningKeys | null
  passkeys: RunPasskeys | undefined
}

interface EnvironmentFacts extends Pick<RunRequest, 'env' | 'passEnv'>, RunTrust {
  /** Whether the sandbox is on this machine: then its agent gets what it needs of the variables of this process. */
  isHere: boolean
}

/** The variables and hosts of a runner. The host's key never is among them. */
export function runnerEnvironment(
  agent: string,
  { env, passEnv, isHere, signingKeys, passkeys }: EnvironmentFacts,
): { hosts: readonly string[] | undefined; env: Record<string, string | undefined> } {
  const passed = passEnv && Object.fromEntries(passEnv.map((name) => [name, process.env[name]]))
  const needs = agentNeeds(agent, { ...(passed ?? (isHere ? process.env : {})), ...env })
  return {
    hosts: needs.hosts,
    env: {
      ...needs.env,
      ...passed,
      ...env,
      [SIGNING_KEY_VARIABLE]: undefined,
      [KNOWN_WORKDIRS_VARIABLE]: 'off', // The host has entered it, if it is here.
      [PUBLIC_KEYS_VARIABLE]: signingKeys === null ? undefined : JSON.stringify(signingKeys.publicKeys),
      [PASSKEYS_VARIABLE]: passkeys && JSON.stringify(passkeys),
    },
  }
}
