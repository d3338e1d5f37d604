import type { ChannelWarning, RunnerChannel, TimeoutMs } from '@sandagent/core'
import type { TimeoutPolicy } from '../ask/read-answer.ts'
import type { UiStream } from './ui-stream.ts'

/** One run of an agent: what it is asked to do, and the means to do it. */
export interface AgentRun {
  /** What the user asked for. */
  prompt: string
  /** The absolute path of the folder to work in. */
  workdir: string
  /** The same again when a run is started again after a crash: its open questions are adopted by it. */
  runId: string
  channel: RunnerChannel
  ui: UiStream
  /** Aborts the run; what it asks is then settled as aborted. */
  signal: AbortSignal
  /** For questions that say nothing themselves, in milliseconds. */
  timeoutMs: TimeoutMs
  timeoutPolicy: TimeoutPolicy
  onWarning?: ((warning: ChannelWarning) => void) | undefined
}

/**
 * An agent: resolves when its work is done or its signal has aborted, rejects when it cannot go on. It writes what
 * belongs inside the message; start and end of the message are its caller's.
 */
export type Agent = (run: AgentRun) => Promise<void>
