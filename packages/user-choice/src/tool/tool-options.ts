import type { ChannelWarning, Clock, OptionNames } from '@sandagent/core/internal'
import type { AllowedUrls } from '../lib/allowed-urls.ts'
import type { UserChoiceStorage } from '../lib/storage.ts'
import type { ToolOperation } from './operation.ts'

export interface UserChoiceToolOptions {
  /** By name. */
  operations: Readonly<Record<string, ToolOperation>>
  /** Keeps pending calls and decisions across restarts. */
  storage: UserChoiceStorage
  /**
   * The URL of `UserChoiceTool.respond`. Each call gets its own URL, with a token. Without TLS it must be on this machine
   * or an internal network.
   */
  responseUrl: string
  /** The URLs that runtimes may be called back on, such as `https://agent.example.com/callback`. */
  callbackUrls: AllowedUrls
  /** How long to wait for a choice before the call fails, in milliseconds. Default a day. */
  timeoutMs?: number | undefined
  /** The most pending calls. Others are refused with 429. Default 1000. */
  maxCalls?: number | undefined
  /** Who may call, cancel and close conversations. Default: everybody who can reach the handlers. */
  authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined
  /** How `UserChoiceTool.toolset` describes this tool. `endpoint` is the URL of `UserChoiceTool.invoke`. */
  toolset?: { name: string; description?: string; endpoint: string } | undefined
  fetch?: typeof fetch | undefined
  clock?: Clock | undefined
  /** Called for faults, such as an operation that threw. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
}

export const TOOL_OPTIONS: OptionNames<UserChoiceToolOptions> = {
  operations: true,
  storage: true,
  responseUrl: true,
  callbackUrls: true,
  timeoutMs: true,
  maxCalls: true,
  authorize: 'function',
  toolset: true,
  fetch: 'function',
  clock: 'clock',
  onWarning: 'function',
}
