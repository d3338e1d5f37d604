import { join } from 'node:path'
import { hostConfigFolder } from '@sandagent/files/internal'

/** The environment variable with a host's private keys. No program in a sandbox may have it. */
export const SIGNING_KEY_VARIABLE = 'SANDAGENT_SIGNING_KEY'

let hidden: string | undefined

/** The text of the keys in the environment, also when they are hidden. */
export const givenSigningKey = (): string | undefined => process.env[SIGNING_KEY_VARIABLE] || hidden

/**
 * Keeps the key of the environment in memory alone: this process signs with it, and the programs that it starts do not get it.
 */
export function hideSigningKey(): void {
  hidden = process.env[SIGNING_KEY_VARIABLE] ?? hidden
  delete process.env[SIGNING_KEY_VARIABLE]
}

/** The file with the keys of this user, as an absolute path. */
export const signingKeyPath = (): string => join(hostConfigFolder(), 'signing-key.json')
