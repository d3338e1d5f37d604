import { join } from 'node:path'
import { hostConfigFolder } from '@sandagent/files/internal'

/** The environment variable with a host's private keys. No program in a sandbox may have it. */
export const SIGNING_KEY_VARIABLE = 'SANDAGENT_SIGNING_KEY'

/** The file with the keys of this user, as an absolute path. */
export const signingKeyPath = (): string => join(hostConfigFolder(), 'signing-key.json')
