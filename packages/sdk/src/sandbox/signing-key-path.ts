import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The environment variable that gives a host its private keys. No program in a sandbox may have it. */
export const SIGNING_KEY_VARIABLE = 'SANDAGENT_SIGNING_KEY'

/** Where the keys of this user are, as an absolute path. */
export const signingKeyPath = (): string =>
  join(configFolder(process.env.XDG_CONFIG_HOME ?? ''), 'sandagent', 'signing-key.json')

/** A relative path does not count: it could lead into a workdir. */
const configFolder = (given: string): string => (isAbsolute(given) ? given : join(homedir(), '.config'))
