import { AskError } from '@sandagent/core'
import { probeIsolation } from './probe.ts'

/**
 * `strict`: programs are isolated, or not started. `auto`: they are isolated if this machine can do it. `none`: they may do
 * what the user of this process may do.
 */
export type IsolationLevel = 'strict' | 'auto' | 'none'

export interface Isolation {
  level: 'strict' | 'none'
  /** The reason, as a sentence for people. */
  reason: string
}

/**
 * Finds the isolation in force for a level. The first call of a process takes part of a second.
 *
 * @throws AskError `ISOLATION_UNAVAILABLE` when `strict` does not work here, with what to do about it.
 */
export async function isolationOf(level: IsolationLevel): Promise<Isolation> {
  if (level === 'none') return { level, reason: 'Programs are not isolated: that is how it was asked for' }
  const obstacle = await probeIsolation()
  if (obstacle === null) return { level: 'strict', reason: `Programs are isolated by ${mechanism()}` }
  if (level === 'auto') return { level: 'none', reason: `Programs are not isolated: ${obstacle}` }
  throw new AskError('ISOLATION_UNAVAILABLE', `Programs cannot be isolated: ${obstacle}`)
}

const mechanism = (): string => (process.platform === 'darwin' ? 'Seatbelt' : 'bubblewrap')

const told = new Set<string>()

/** Reports the isolation in force once in this process, for all its sandboxes. */
export function sayOnce({ reason }: Isolation, say: (sentence: string) => void): void {
  if (!told.has(reason)) say(reason)
  told.add(reason)
}
