import type { AgentUser } from '../agent-user/agent-user.ts'

export interface Launch {
  command: string
  args: readonly string[]
  /** The whole environment. */
  env: Readonly<Record<string, string | undefined>>
  /** For the isolation's launcher: its request, which it reads from descriptor 3. */
  request?: string
  /** Default: the user of this process. */
  user?: AgentUser | undefined
}

/** The options of Node for a program of another user. Its other groups are dropped. */
export const asUser = (user: AgentUser | undefined): { uid?: number; gid?: number } =>
  user ? { uid: user.uid, gid: user.gid } : {}

export type LaunchOf = (
  command: string,
  args: readonly string[],
  options: {
    env?: Readonly<Record<string, string | undefined>> | undefined
    hosts?: readonly string[] | undefined
  },
) => Promise<Launch>
