import { ASK_TOOL, type QuestionRecord } from '@sandagent/core'
import { type EveRequest, formatResult, parseRequest, parseSubject } from '@sandagent/core/dialects/eve'
import type { ClientSession } from 'eve/client'
import type { AgentRun } from '../../run/agent.ts'
import { askInRun } from '../../run/ask-in-run.ts'
import type { CallWriter } from '../../run/call-writer.ts'
import { toolResultOf } from '../../run/tool-result.ts'

/** Asks the requests for input of a session, and sends the answers. */
export class EveQuestions {
  readonly #run: AgentRun
  readonly #session: ClientSession
  readonly #calls: CallWriter
  readonly #asked = new Map<string, AbortController>()
  readonly #work: Promise<void>[] = []
  readonly #failed = new AbortController()

  constructor(run: AgentRun, session: ClientSession, calls: CallWriter) {
    this.#run = run
    this.#session = session
    this.#calls = calls
  }

  get failed(): AbortSignal {
    return this.#failed.signal
  }

  /** Asks, and answers when somebody has. A request that comes again is asked already. */
  ask(request: unknown): void {
    const { requestId } = Object(request) as EveRequest
    if (this.#asked.has(requestId)) return
    const withdrawn = new AbortController()
    this.#asked.set(requestId, withdrawn)
    this.#work.push(
      this.#ask(request as EveRequest, withdrawn.signal).catch((error: unknown) => this.#failed.abort(error)),
    )
  }

  /** The request has its answer, or is asked no more. */
  withdraw(requestId: string): void {
    this.#asked.get(requestId)?.abort()
  }

  /** Withdraws what still waits. @throws the error of a question. */
  async end(): Promise<void> {
    for (const withdrawn of this.#asked.values()) withdrawn.abort()
    await Promise.all(this.#work)
    if (this.#failed.signal.aborted && !this.#run.signal.aborted) throw this.#failed.signal.reason
  }

  async #ask(request: EveRequest, withdrawn: AbortSignal): Promise<void> {
    const { runId, signal } = this.#run
    const questions = parseRequest(request)
    const subject = parseSubject(request)
    // A page shows an approval beside its call. The id of a request is unique on its server.
    const toolCallId = `${runId}-${subject ? request.action.callId : request.requestId}`
    const showQuestion = (record: QuestionRecord): Promise<void> =>
      this.#calls.show({ toolCallId, toolName: ASK_TOOL.name, input: { questions: record.questions } })
    const outcome = await askInRun(
      this.#run,
      {
        toolCallId,
        questions,
        ...(subject && { kind: 'approval', toolName: subject.toolName, subject }),
      },
      {
        // A response cannot say that something was not sent. So a draft is none.
        timeoutPolicy: 'decline',
        ...(!subject && { onAsked: showQuestion }),
        signal: AbortSignal.any([signal, withdrawn]),
      },
    )
    if (!subject) await this.#calls.end(toolCallId, toolResultOf(outcome))
    // Answered elsewhere, or no longer asked.
    if (outcome.kind === 'aborted') return
    const response = formatResult(outcome, request)
    if ('cancelTurn' in response) await this.#session.cancel()
    else await this.#session.respond([response])
  }
}
