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
  /** Without it, only clients that show forms can ask. */
  channel?: RunnerChannel | undefined
  /**
   * Where the questions are shown. `channel`: on the channel. `client`: in the MCP client's form. `auto`: in the
   * client's form if it has one, else on the channel. Default: `channel` if there is one, else `client`.
   */
  via?: 'channel' | 'client' | 'auto' | undefined
  /** Where people answer on the channel, such as `the chat at https://…`. Clients show it while they wait. */
  place?: string | undefined
  /**
   * Whether the model may ask without waiting, on the channel: the tool takes `blocking`, and `check_question` tells how such a
   * question stands. Its ticket outlives the connection. Default false.
   */
  tickets?: boolean | undefined
  /** Default: random for each connection. */
  runId?: string | undefined
  /** Called for answer files that cannot be the answer, and for failures whose cause the model does not read. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
  /** The time between two progress messages to clients that want them, in milliseconds. Default 5000. */
  progressMs?: number | undefined
}

/** The options, with their defaults. */
export interface CallSettings extends AskMcpOptions {
  timeoutMs: TimeoutMs
  clock: Clock
  progressMs: number
  runId: string
  /** What the model reads of how it gets the answer to a ticket. Default: it looks for it. */
  answerComes?: string | undefined
}

export const ASK_MCP_OPTIONS: OptionNames<AskMcpOptions> = {
  channel: true,
  via: true,
  place: true,
  tickets: true,
  runId: true,
  timeoutMs: true,
  timeoutPolicy: true,
  progressMs: true,
  clock: 'clock',
  onWarning: 'function',
}

export const settingsOf = ({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  clock = systemClock,
  progressMs = 5000,
  runId = randomUUID(),
  ...others
}: AskMcpOptions): CallSettings => ({ ...others, timeoutMs, clock, progressMs, runId })

/** Aborts when the client cancels the call or, over HTTP, loses the connection of the response. */
export const signalOf = ({ mcpReq, http }: ServerContext): AbortSignal =>
  http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal
