// Why it is so: docs/decisions/0112-a-ticket-is-the-id-of-its-call.md

import type { McpSdkServerConfigWithInstance, SessionMessage } from '@anthropic-ai/claude-agent-sdk'
import { MCP_TICKET_TOOLS } from '@sandagent/core/dialects/mcp'
import { describeOutcome, type Outcome, systemClock } from '@sandagent/core/internal'
import { type Ticket, Tickets } from '../../ask/tickets.ts'
import type { AgentRun } from '../../run/agent.ts'
import { loadPackage } from '../../run/load-package.ts'
import { answerHeading, leftTickets } from './transcript/left-tickets.ts'

/** The MCP server by which the model asks without waiting: its own tool waits. */
export const TICKET_SERVER = 'questions'

const toolName = (tool: 'ask' | 'check') => `mcp__${TICKET_SERVER}__${MCP_TICKET_TOOLS[tool].name}`

export interface ClaudeTicketsOptions {
  run: AgentRun
  /** Withdraws what is open. */
  signal: AbortSignal
  /** Called when a question has ended. */
  onEnded: (outcome: Outcome) => Promise<void>
  /** Ends the session after this time without an answer, once nothing else is left to do, in milliseconds. */
  deferAfterMs: number | undefined
}

/** The questions of a session for which its model does not wait. Their answers are messages of the user. */
export class ClaudeTickets {
  readonly #options: ClaudeTicketsOptions
  readonly #tickets: Tickets
  /** The questions whose answers are still to be told. */
  readonly #awaited = new Set<string>()
  #say: (text: string) => void = () => {}
  #cancelTimer = (): void => {}

  constructor(options: ClaudeTicketsOptions) {
    this.#options = options
    const { channel, runId, timeoutMs, timeoutPolicy, onWarning } = options.run
    this.#tickets = new Tickets(channel, {
      runId,
      toolName: MCP_TICKET_TOOLS.ask.name,
      timeoutMs,
      timeoutPolicy,
      onWarning,
      signal: options.signal,
      onBegun: (ticket, toolCallId) => void this.#tell(ticket, toolCallId),
    })
  }

  /** The server for `mcpServers`. */
  async server(): Promise<McpSdkServerConfigWithInstance> {
    const { askServer } = await loadPackage(
      () => import('../../mcp/server.ts'),
      'Tickets need the MCP server: npm install @modelcontextprotocol/server',
    )
    const { channel, ...run } = this.#options.run
    const settings = {
      ...run,
      channel,
      tickets: true,
      clock: systemClock,
      progressMs: PROGRESS_MS,
      answerComes: COMES,
    }
    const instance = askServer(settings, new Set(), this.#tickets)
    return {
      type: 'sdk',
      name: TICKET_SERVER,
      // The SDK has the type of its own copy of the server.
      instance: instance as unknown as McpSdkServerConfigWithInstance['instance'],
    }
  }

  /** Takes up what an earlier run of the session asked. */
  async resume(transcript: readonly SessionMessage[]): Promise<void> {
    const left = leftTickets(transcript, { ask: toolName('ask'), check: toolName('check') })
    await Promise.all(left.map((ticket) => this.#tickets.find(ticket)))
  }

  /** Whether a call got a ticket: it ends when its question does. */
  has(toolCallId: string): boolean {
    return this.#awaited.has(toolCallId)
  }

  /** Whether the session has to stay, because something is still to be told. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0
  }

  /** @param say tells the model something in the place of its user */
  listen(say: (text: string) => void): void {
    this.#say = say
  }

  /** The session has nothing else to do. @param end ends it */
  idle(end: () => void): void {
    const { deferAfterMs } = this.#options
    if (deferAfterMs === undefined) return
    this.#cancelTimer()
    this.#cancelTimer = systemClock.after(deferAfterMs, () => void this.#tickets.close().then(end))
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    this.#cancelTimer()
    await this.#tickets.close()
  }

  async #tell(ticket: Ticket, toolCallId: string): Promise<void> {
    this.#awaited.add(toolCallId)
    try {
      const outcome = await ticket.outcome
      if (outcome.kind === 'aborted') return
      await this.#options.onEnded(outcome)
      if (ticket.takers > 0) return
      this.#cancelTimer()
      this.#say(`${answerHeading(toolCallId)}\n${describeOutcome(outcome)}`)
    } catch {
      // The call that asked has told it.
    } finally {
      this.#awaited.delete(toolCallId)
    }
  }
}

const PROGRESS_MS = 5000

const COMES =
  'The answer comes to you as a message. Wait for it with check_question only if you can do nothing more without it.'
