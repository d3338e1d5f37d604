import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The environment variable with a host's private keys. No program in a sandbox may have it. */
export const SIGNING_KEY_VARIABLE = 'SANDAGENT_SIGNING_KEY'

/** The file with the keys of this user, as an absolute path. */
export const signingKeyPath = (): string => join(hostConfigFolder(), 'signing-key.json')

/** What hosts of this user keep, as an absolute path. Isolated programs never see it. */
export const hostConfigFolder = (): string =>
  join(configFolder(process.env.XDG_CONFIG_HOME ?? ''), 'sandagent')

/** A relative path is ignored: it could lead into a workdir. */
const configFolder = (given: string): string => (isAbsolute(given) ? given : join(homedir(), '.config'))
