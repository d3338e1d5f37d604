import type { ChannelWarning, Clock, OptionNames } from '@sandagent/core/internal'
import type { AllowedUrls } from '../allowed-urls.ts'
import type { UserChoiceStorage } from '../storage.ts'
import type { ToolOperation } from './operation.ts'

export interface UserChoiceToolOptions {
  /** What the tool does, by name. */
  operations: Readonly<Record<string, ToolOperation>>
  /** Where pending calls and decisions outlive this process. */
  storage: UserChoiceStorage
  /**
   * Where runtimes reach `UserChoiceTool.respond`; each call gets a URL of its own from it. Without TLS it must be
   * on this machine or an internal network, where nobody outside reads what users choose.
   */
  responseUrl: string
  /** Where runtimes are called back, such as `https://agent.example.com/callback`: nothing is posted elsewhere. */
  callbackUrls: AllowedUrls
  /** How long a choice is waited for before its call fails, in milliseconds. Default a day. */
  timeoutMs?: number | undefined
  /** How many calls may be pending; another one is refused with 429. Default 1000. */
  maxCalls?: number | undefined
  /** Who may call, cancel and close conversations. Default everybody who can reach the handlers. */
  authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined
  /** What `UserChoiceTool.toolset` says of this tool. `endpoint` is the URL of `UserChoiceTool.invoke`. */
  toolset?: { name: string; description?: string; endpoint: string } | undefined
  fetch?: typeof fetch | undefined
  clock?: Clock | undefined
  /** Told of what went wrong, such as an operation that threw. */
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
