import { execFileSync } from 'node:child_process'
import { AskError, invalid } from '@sandagent/core/internal'
import { pathOutside } from '../isolation/path-outside.ts'

/** Another user of this machine, who programs run as. */
export interface AgentUser {
  /** As it was given. */
  name: string
  uid: number
  gid: number
}

/**
 * Finds a user by name or by numbers, `UID:GID`.
 *
 * @throws AskError `ISOLATION_UNAVAILABLE` where programs cannot run as another user, `NOT_FOUND` for an unknown name,
 *   `INVALID_REQUEST` for root
 */
export function agentUserOf(name: string): AgentUser {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0)
    throw new AskError(
      'ISOLATION_UNAVAILABLE',
      'Only root on Linux can run programs as another user. Start the host as root, or leave out agentUser',
    )
  const [, uid, gid] = /^(\d{1,10}):(\d{1,10})$/.exec(name) ?? []
  const user = { name, uid: Number(uid ?? idOf('-u', name)), gid: Number(gid ?? idOf('-g', name)) }
  if (user.uid === 0 || user.gid === 0)
    throw invalid('INVALID_REQUEST', 'agentUser', [{ path: 'agentUser', expected: 'a user who is not root' }])
  return user
}

function idOf(option: '-u' | '-g', name: string): string {
  try {
    return execFileSync('id', [option, '--', name], {
      encoding: 'utf8',
      env: { PATH: pathOutside() },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (cause) {
    throw new AskError(
      'NOT_FOUND',
      `There is no user ${name} in the sandbox. Add the user there, or give the numbers UID:GID`,
      { cause },
    )
  }
}
