import { AskError } from '@sandagent/core'
import type { AgentUser } from '../agent-user/agent-user.ts'
import { probeIsolation } from './probe.ts'

/**
 * `strict`: programs are isolated, or not started. `auto`: they are isolated if this machine can do it, and then the sandbox
 * runtime must be installed. `none`: they may do what the user of this process may do.
 */
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number]

export const ISOLATION_LEVELS = ['strict', 'auto', 'none'] as const

export interface Isolation {
  level: 'strict' | 'none'
  /** The reason, as a sentence for people. */
  reason: string
  /** The user that programs run as, and who cannot write answers, if it is not the user of the host or the relay. */
  agentUser?: string
}

/**
 * Finds the isolation in force for a level. The first call of a process takes part of a second.
 *
 * @throws AskError `ISOLATION_UNAVAILABLE` when `strict` does not work here, or the sandbox runtime is not installed where this
 *   machine can isolate programs, with what to do about it.
 */
export async function isolationOf(level: IsolationLevel, user?: AgentUser): Promise<Isolation> {
  const isolation = await isolationFor(level, user)
  if (!user) return isolation
  const reason = `Programs run as the user ${user.name}, who cannot write answers. ${isolation.reason}`
  return { ...isolation, reason, agentUser: user.name }
}

async function isolationFor(level: IsolationLevel, user: AgentUser | undefined): Promise<Isolation> {
  if (level === 'none') return { level, reason: 'Programs are not isolated: that is how it was asked for' }
  const obstacle = await probeIsolation(user)
  if (obstacle === null)
    return { level: 'strict', reason: `Programs are isolated by ${mechanism()}: ${CLOSED}` }
  if (level === 'auto') return { level: 'none', reason: `Programs are not isolated: ${obstacle}` }
  throw new AskError('ISOLATION_UNAVAILABLE', `Programs cannot be isolated: ${obstacle}`)
}

const CLOSED =
  "without the network and without the host's variables, except for what `hosts` and `env` give them (docs/guides/isolation.md)"

const mechanism = (): string => (process.platform === 'darwin' ? 'Seatbelt' : 'bubblewrap')

const told = new Set<string>()

/** Reports the isolation in force once in this process, for all its sandboxes. */
export function sayOnce({ reason }: Isolation, say: (sentence: string) => void): void {
  if (!told.has(reason)) say(reason)
  told.add(reason)
}
