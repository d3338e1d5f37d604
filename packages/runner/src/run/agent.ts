import type { ChannelWarning, RunnerChannel, TimeoutMs } from '@sandagent/core'
import type { TimeoutPolicy } from '../ask/read-answer.ts'
import type { UiStream } from './ui-stream.ts'

export interface AgentRun {
  prompt: string
  /** Absolute path. */
  workdir: string
  /** A run that is restarted with the same id adopts its open questions. */
  runId: string
  channel: RunnerChannel
  ui: UiStream
  /** Stops the run. Its open questions are settled as aborted. */
  signal: AbortSignal
  /** For questions without a time of their own, in milliseconds. */
  timeoutMs: TimeoutMs
  timeoutPolicy: TimeoutPolicy
  /** What traces call the agent, such as `claude`. */
  agentName?: string | undefined
  onWarning?: ((warning: ChannelWarning) => void) | undefined
}

/**
 * Resolves when the work is done or the signal has aborted. Rejects when the agent cannot go on. The agent writes the
 * content of the message; `runAgent` writes its start and its end.
 */
export type Agent = (run: AgentRun) => Promise<void>
