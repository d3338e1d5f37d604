import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { formatPermission, parsePermission } from '@sandagent/core/dialects/acp'
import { describeOutcome, notRunText, type Outcome, type QuestionRecord } from '@sandagent/core/internal'
import type { AskRequest } from '../../ask/ask-request.ts'
import { elicit } from '../../mcp/elicitation.ts'
import type { AgentRun } from '../../run/agent.ts'
import { askInRun } from '../../run/ask-in-run.ts'
import { toolResultOf } from '../../run/tool-result.ts'
import type { AcpCalls } from './calls.ts'

/** Asks what the agent of a session asks its client. */
export class AcpQuestions {
  readonly #run: AgentRun
  readonly #calls: AcpCalls
  readonly #inOrder: InOrder
  /** An agent may ask about a call more than once. Each time is a question of its own. */
  readonly #used = new Set<string>()
  #elicitations = 0

  constructor(run: AgentRun, calls: AcpCalls, inOrder: InOrder) {
    this.#run = run
    this.#calls = calls
    this.#inOrder = inOrder
  }

  /** Asks for a permission. Nothing but a pick of a person selects an option that allows. */
  async permission(
    params: RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const callId = this.#calls.idOf(params.toolCall.toolCallId)
    const { question, subject } = await this.#inOrder(async () => {
      const permission = parsePermission({ ...params, toolCall: this.#calls.merge(params.toolCall) })
      await this.#calls.show(callId, permission.subject)
      return permission
    })
    const outcome = await askInRun(
      this.#run,
      {
        toolCallId: this.#unused(callId),
        toolName: subject.toolName,
        kind: 'approval',
        questions: [question],
        subject,
      },
      { timeoutPolicy: 'decline', signal: this.#or(signal) },
    )
    const result = formatPermission(outcome, params)
    const why = whyNotRun(outcome, result, params)
    if (why !== null) await this.#calls.end(callId, { errorText: notRunText(subject.toolName, why) })
    return result
  }

  /** Asks the questions of a form, or whether a person opens a page. */
  async elicitation(
    params: CreateElicitationRequest,
    signal: AbortSignal,
  ): Promise<CreateElicitationResponse> {
    const { toolCallId } = params as { toolCallId?: unknown }
    const own = typeof toolCallId === 'string' ? toolCallId : `elicitation-${++this.#elicitations}`
    const call = this.#calls.idOf(own)
    // A call that runs may ask, too: its output is still to come.
    const first = await this.#inOrder(async () =>
      this.#unused(this.#calls.isShown(call) ? `${call}-question` : call),
    )
    const ask = async ({ toolCallId, questions }: Omit<AskRequest, 'runId'>): Promise<Outcome> => {
      const id = toolCallId === first ? first : this.#unused(toolCallId)
      const onAsked = (record: QuestionRecord): Promise<void> =>
        this.#calls.show(id, { toolName: 'AskUserQuestion', input: { questions: record.questions } })
      const request = { toolCallId: id, questions }
      const outcome = await askInRun(this.#run, request, { signal: this.#or(signal), onAsked })
      await this.#calls.answer(id, toolResultOf(outcome))
      return outcome
    }
    return elicit(params, { id: first, from: undefined, ask })
  }

  #or(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([this.#run.signal, signal])
  }

  #unused(id: string): string {
    let unused = id
    for (let round = 2; this.#used.has(unused); round++) unused = `${id}-${round}`
    this.#used.add(unused)
    return unused
  }
}

/** Does work once all that the agent sent before is shown. */
export type InOrder = <T>(work: () => Promise<T>) => Promise<T>

/** Why the call of a permission does not run; `null` if it does. */
function whyNotRun(
  outcome: Outcome,
  result: RequestPermissionResponse,
  { options }: RequestPermissionRequest,
): string | null {
  if (result.outcome.outcome === 'cancelled') return describeOutcome(outcome)
  const { optionId } = result.outcome
  const option = options.find((each) => each.optionId === optionId)
  return option?.kind.startsWith('allow') ? null : 'The user denied it.'
}
