import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** What hosts of this user keep, as an absolute path. Isolated programs never see it. */
export const hostConfigFolder = (): string =>
  join(configFolder(process.env.XDG_CONFIG_HOME ?? ''), 'sandagent')

/** A relative path is ignored: it could lead into a workdir. */
const configFolder = (given: string): string => (isAbsolute(given) ? given : join(homedir(), '.config'))
