import { AskError } from '@sandagent/core'
import { probeIsolation } from './probe.ts'

/**
 * How much a sandbox keeps its programs in. `strict`: they are isolated, or not started. `auto`: they are isolated where
 * that works here. `none`: they may do what the user of this process may do.
 */
export type IsolationLevel = 'strict' | 'auto' | 'none'

/** What is in force. */
export interface Isolation {
  level: 'strict' | 'none'
  /** Why, in a sentence for people. */
  reason: string
}

/**
 * What a level comes to on this machine. The first call of a process tries it out, which takes part of a second.
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

/** Says what is in force once in this process, whichever sandbox comes to it first. */
export function sayOnce({ reason }: Isolation, say: (sentence: string) => void): void {
  if (!told.has(reason)) say(reason)
  told.add(reason)
}
