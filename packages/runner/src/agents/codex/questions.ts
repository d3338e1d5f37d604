import { randomUUID } from 'node:crypto'
import { ASK_TOOL, isObject, type Outcome } from '@sandagent/core/internal'
import type { AskRequest } from '../../ask/ask-request.ts'
import type { TimeoutPolicy } from '../../ask/read-answer.ts'
import type { AgentRun } from '../../run/agent.ts'
import { askInRun } from '../../run/ask-in-run.ts'
import type { CallEnd } from '../../run/call-writer.ts'
import { toolResultOf } from '../../run/tool-result.ts'
import { UnusedIds } from '../../run/unused-ids.ts'
import type { CodexItems } from './items.ts'

export interface CodexQuestionsOptions {
  run: AgentRun
  items: CodexItems
  /** The thread of the run: what another thread asks is asked by a subagent. */
  threadId: () => string
}

interface Limits {
  signal: AbortSignal
  timeoutPolicy?: TimeoutPolicy
}

type Asked = Omit<AskRequest, 'runId' | 'toolCallId'>

/** The questions and approvals of a run of Codex, each under an id of its own. */
export class CodexQuestions {
  readonly #options: CodexQuestionsOptions
  readonly ids: UnusedIds = new UnusedIds()
  readonly #waiting = new Set<Promise<unknown>>()

  constructor(options: CodexQuestionsOptions) {
    this.#options = options
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#waiting)
  }

  /** An id of its own for each request. The call ids of some models begin anew with each turn. */
  idFor(turnId: string, itemId: string): string {
    return this.ids.for(`${turnId || randomUUID()}-${itemId}`)
  }

  /** Asks, and shows the question as a call. */
  async put(toolCallId: string, asked: Asked, params: unknown, limits: Limits): Promise<Outcome> {
    const putting = this.#putNow(toolCallId, asked, params, limits)
    this.#waiting.add(putting)
    return putting.finally(() => this.#waiting.delete(putting))
  }

  async #putNow(toolCallId: string, asked: Asked, params: unknown, limits: Limits): Promise<Outcome> {
    const { run, items } = this.#options
    const outcome = await askInRun(
      run,
      { ...asked, ...this.#asker(params), toolCallId },
      {
        ...limits,
        onAsked: ({ questions, subject }) =>
          items.show({
            toolCallId,
            toolName: subject?.toolName ?? ASK_TOOL.name,
            input: subject ? subject.input : { questions },
          }),
      },
    )
    // The end of a call that was permitted is told by its item.
    if (!asked.subject) await this.end(toolCallId, toolResultOf(outcome))
    return outcome
  }

  end(toolCallId: string, result: CallEnd): Promise<void> {
    return this.#options.items.end(toolCallId, result)
  }

  #asker(params: unknown): Pick<AskRequest, 'asker'> {
    const { threadId } = idsIn(params)
    return threadId === undefined || threadId === this.#options.threadId() ? {} : { asker: {} }
  }
}

type Ids = Partial<Record<'threadId' | 'turnId' | 'itemId' | 'approvalId', string>>

/** The ids in the params of a request or a notification. */
export const idsIn = (params: unknown): Ids =>
  Object.fromEntries(
    ['threadId', 'turnId', 'itemId', 'approvalId'].flatMap((name) => {
      const id = isObject(params) ? params[name] : undefined
      return typeof id === 'string' ? [[name, id]] : []
    }),
  )
