import { randomUUID } from 'node:crypto'
import type { ServerContext } from '@modelcontextprotocol/server'
import {
  type ChannelWarning,
  type Clock,
  DEFAULT_TIMEOUT_MS,
  type OptionNames,
  type RunnerChannel,
  systemClock,
  type TimeoutMs,
} from '@sandagent/core/internal'
import type { AskOptions } from '../ask/ask-options.ts'

export interface AskMcpOptions extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock'> {
  /** Where the questions are asked and answered. Without one, only clients with a form of their own can ask. */
  channel?: RunnerChannel | undefined
  /**
   * Who shows the questions. `channel`: whoever answers on the channel. `client`: the MCP client, in its own form.
   * `auto`: the client where it has forms, else the channel. Default: `channel` where there is one, else `client`.
   */
  via?: 'channel' | 'client' | 'auto' | undefined
  /** Where people answer on the channel, as they know it: `the chat at https://…`. Clients show it while they wait. */
  place?: string | undefined
  /** The run that asks; random per connection when absent. */
  runId?: string | undefined
  /** Told of approvals that cannot be the answer, and of why nobody could be asked: of that the model reads nothing. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
  /** How often a client that wants progress hears that the user is still being waited for, in milliseconds. Default 5000. */
  progressMs?: number | undefined
}

/** What a call of the tool needs to know. */
export interface CallSettings extends Pick<AskOptions, 'timeoutPolicy' | 'onWarning'> {
  timeoutMs: TimeoutMs
  clock: Clock
  progressMs: number
  place: string | undefined
  runId: string
}

export const ASK_MCP_OPTIONS: OptionNames<AskMcpOptions> = {
  channel: true,
  via: true,
  place: true,
  runId: true,
  timeoutMs: true,
  timeoutPolicy: true,
  progressMs: true,
  clock: 'clock',
  onWarning: 'function',
}

export const settingsOf = (options: AskMcpOptions): CallSettings => ({
  timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  clock: options.clock ?? systemClock,
  progressMs: options.progressMs ?? 5000,
  place: options.place,
  runId: options.runId ?? randomUUID(),
  ...(options.timeoutPolicy && { timeoutPolicy: options.timeoutPolicy }),
  ...(options.onWarning && { onWarning: options.onWarning }),
})

/** Aborts when nobody waits for the result any more: over HTTP also when the connection breaks that would bring it. */
export const signalOf = ({ mcpReq, http }: ServerContext): AbortSignal =>
  http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal
