import { PUBLIC_KEYS_VARIABLE } from '@sandagent/core/internal'
import { SIGNING_KEY_VARIABLE } from '../../sandbox/host-config.ts'
import type { SigningKeys } from '../../signing/signing-keys.ts'
import { KNOWN_WORKDIRS_VARIABLE } from '../enter-workdir.ts'
import { agentNeeds } from './agent-needs.ts'
import type { RunRequest } from './run-request.ts'

interface EnvironmentFacts extends Pick<RunRequest, 'env' | 'passEnv'> {
  /** Whether the sandbox is on this machine: then its agent gets what it needs of the variables of this process. */
  isHere: boolean
  signingKeys: SigningKeys | null
}

/** The variables and hosts of a runner. The host's key never is among them. */
export function runnerEnvironment(
  agent: string,
  { env, passEnv, isHere, signingKeys }: EnvironmentFacts,
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
    },
  }
}
