import {
  type CodexApproval,
  formatDecision,
  formatResult,
  formatToolDecision,
  isToolApproval,
  parseCommandApproval,
  parseFileApproval,
  parseMessage,
  parseRequest,
  parseToolApproval,
} from '@sandagent/core/dialects/codex'
import {
  type ApprovalDecision,
  ASK_TOOL,
  allowedText,
  approvalIn,
  approvalQuestion,
  denialText,
  describeOutcome,
  mcpToolName,
  notRunText,
  type Outcome,
  sameJson,
} from '@sandagent/core/internal'
import { elicit } from '../../mcp/elicitation.ts'
import type { AgentRun } from '../../run/agent.ts'
import { unaskedWarning } from '../../run/unasked.ts'
import type { RequestId } from './app-server.ts'
import type { CodexItem } from './items.ts'
import { type CodexQuestions, idsIn } from './questions.ts'
import type { LeftQuestion } from './unanswered.ts'

export interface CodexAsksOptions {
  run: AgentRun
  /** Withdraws what waits. */
  signal: AbortSignal
  questions: CodexQuestions
  /** Tells the model behind a request what its result cannot carry. */
  tell: (text: string, params: unknown) => Promise<void>
}

/** Asks what Codex' app server asks, and answers it. */
export class CodexAsks {
  readonly #options: CodexAsksOptions
  readonly #open = new Map<RequestId, AbortController>()
  /** Items that have begun, in any turn: approvals name them, and do not say what they do. */
  readonly #items = new Map<string, CodexItem>()

  constructor(options: CodexAsksOptions) {
    this.#options = options
  }

  note(item: CodexItem): void {
    this.#items.set(item.id, item)
  }

  /** Codex asks no longer, such as after an interruption. */
  withdraw(id: unknown): void {
    this.#open.get(id as RequestId)?.abort()
  }

  /** @throws Error for what cannot be asked, with MCP's code where it has one. */
  async answer(method: string, params: unknown, id: RequestId): Promise<object> {
    const withdrawal = new AbortController()
    this.#open.set(id, withdrawal)
    const signal = AbortSignal.any([this.#options.signal, withdrawal.signal])
    try {
      return await this.#answer(method, params, signal)
    } catch (error) {
      if (!(error instanceof Undecided)) this.#options.run.onWarning?.(unaskedWarning(error))
      throw error
    } finally {
      this.#open.delete(id)
    }
  }

  async #answer(method: string, params: unknown, signal: AbortSignal): Promise<object> {
    const { turnId = '', itemId = '' } = idsIn(params)
    switch (method) {
      case 'item/tool/requestUserInput': {
        const outcome = await this.#ask(turnId, itemId, params, signal)
        const { untold, ...result } = formatResult(outcome)
        if (untold !== undefined && !signal.aborted) await this.#options.tell(untold, params)
        return result
      }
      case 'item/commandExecution/requestApproval': {
        const { approvalId } = idsIn(params)
        const approval = parseCommandApproval(params)
        return formatDecision(await this.#approve(turnId, approvalId ?? itemId, approval, params, signal))
      }
      case 'item/fileChange/requestApproval': {
        const approval = parseFileApproval(params, this.#items.get(itemId))
        return formatDecision(await this.#approve(turnId, itemId, approval, params, signal))
      }
      case 'mcpServer/elicitation/request':
        return this.#elicit(turnId, params, signal)
      default:
        throw Object.assign(new Error(`${method} cannot be asked here`), { code: -32601 })
    }
  }

  async #elicit(turnId: string, params: unknown, signal: AbortSignal): Promise<object> {
    if (isToolApproval(params)) {
      const approval = parseToolApproval(params)
      const { id } = this.#callOf(approval) ?? {}
      return formatToolDecision(await this.#approve(turnId, id ?? 'tool', approval, params, signal))
    }
    const { mode, serverName } = params as { mode?: unknown; serverName?: unknown }
    if (mode !== undefined && mode !== 'form' && mode !== 'url') {
      const message = `${serverName} asks by a form of OpenAI (${String(mode).slice(0, 40)}), which cannot be shown here. It gets "cancel"`
      this.#options.run.onWarning?.({ code: 'INVALID_QUESTIONS', message })
      return { action: 'cancel', content: null, _meta: null }
    }
    const { questions } = this.#options
    const result = await elicit(params, {
      id: questions.idFor(turnId, 'elicitation'),
      ids: questions.ids,
      from: String(serverName),
      // A server gets no drafts: the person has not sent them.
      ask: (request) =>
        questions.put(request.toolCallId, { ...request, toolName: ASK_TOOL.name }, params, {
          signal,
          timeoutPolicy: 'decline',
        }),
    })
    return { content: null, _meta: null, ...result }
  }

  /** The call of an MCP server's tool that was begun last and is the one to approve. */
  #callOf({ subject }: CodexApproval): CodexItem | undefined {
    return [...this.#items.values()].findLast(
      ({ server, tool, arguments: input }) =>
        mcpToolName(server, tool) === subject.toolName && sameJson(input, subject.input),
    )
  }

  /** What a message asks without waiting. Its answer goes to the model as text. */
  async message(turnId: string, item: CodexItem): Promise<string> {
    const questions = parseMessage(item)
    const asked = { toolName: ASK_TOOL.name, questions, takesQuestions: true, blocking: false }
    const id = this.#options.questions.idFor(turnId, item.id)
    return describeOutcome(await this.#options.questions.put(id, asked, {}, { signal: this.#options.signal }))
  }

  /** Asks again what an earlier run left, which takes up its question and an answer given meanwhile. */
  async left({ turnId, itemId, params }: LeftQuestion): Promise<string> {
    return describeOutcome(await this.#ask(turnId, itemId, params, this.#options.signal))
  }

  #ask(turnId: string, itemId: string, params: unknown, signal: AbortSignal): Promise<Outcome> {
    const asked = { toolName: ASK_TOOL.name, questions: parseRequest(params), takesQuestions: true }
    return this.#options.questions.put(this.#options.questions.idFor(turnId, itemId), asked, params, {
      signal,
    })
  }

  async #approve(
    turnId: string,
    itemId: string,
    { subject, sessionScope }: CodexApproval,
    params: unknown,
    signal: AbortSignal,
  ): Promise<ApprovalDecision> {
    const { toolName } = subject
    const id = this.#options.questions.idFor(turnId, itemId)
    const outcome = await this.#options.questions.put(
      id,
      {
        toolName,
        kind: 'approval',
        subject,
        questions: [approvalQuestion(toolName, { sessionScope })],
        takesQuestions: true,
      },
      params,
      { signal, timeoutPolicy: 'decline' },
    )
    const { decision, note } = approvalIn(outcome)
    // Codex tells the end of a call under the id of its item. Nobody else tells that of a second request.
    if (id !== `${turnId}-${itemId}` || !this.#items.has(itemId)) await this.#end(id, toolName, decision)
    if (decision !== undefined && note) {
      const text = decision === 'deny' ? denialText(subject, note) : allowedText(subject, note)
      await this.#options.tell(text, params)
    }
    if (decision !== undefined) return decision
    const text = notRunText(toolName, describeOutcome(outcome))
    if (!signal.aborted) await this.#options.tell(text, params)
    // The model then reads that the request failed, and not that the user rejected it.
    throw new Undecided(text)
  }

  #end(id: string, toolName: string, decision: ApprovalDecision | undefined): Promise<void> {
    return this.#options.questions.end(
      id,
      decision === undefined || decision === 'deny'
        ? { errorText: notRunText(toolName, 'It was not permitted.') }
        : { output: { status: 'permitted' } },
    )
  }
}

/** Nobody decided on a call in time, which is no fault. */
class Undecided extends Error {}
