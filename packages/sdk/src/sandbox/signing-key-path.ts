import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The environment variable with a host's private keys. No program in a sandbox may have it. */
export const SIGNING_KEY_VARIABLE = 'SANDAGENT_SIGNING_KEY'

/** The file with the keys of this user, as an absolute path. */
export const signingKeyPath = (): string =>
  join(configFolder(process.env.XDG_CONFIG_HOME ?? ''), 'sandagent', 'signing-key.json')

/** A relative path is ignored: it could lead into a workdir. */
const configFolder = (given: string): string => (isAbsolute(given) ? given : join(homedir(), '.config'))
