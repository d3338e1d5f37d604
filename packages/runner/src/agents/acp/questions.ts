import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { formatPermission, parsePermission } from '@sandagent/core/dialects/acp'
import {
  ASK_TOOL,
  describeOutcome,
  notRunText,
  type Outcome,
  pick,
  type QuestionRecord,
} from '@sandagent/core/internal'
import type { AskRequest } from '../../ask/ask-request.ts'
import { elicit } from '../../mcp/elicitation.ts'
import type { AgentRun } from '../../run/agent.ts'
import { askInRun } from '../../run/ask-in-run.ts'
import { toolResultOf } from '../../run/tool-result.ts'
import { UnusedIds } from '../../run/unused-ids.ts'
import type { AcpCalls } from './calls.ts'

/** Asks what the agent of a session asks its client. */
export class AcpQuestions {
  readonly #run: AgentRun
  readonly #calls: AcpCalls
  readonly #inOrder: InOrder
  /** An agent may ask about a call more than once. Each time is a question of its own. */
  readonly #ids = new UnusedIds()
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
        toolCallId: this.#ids.for(callId),
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
    const { toolCallId = `elicitation-${++this.#elicitations}` } = pick(params, 'string', ['toolCallId'])
    const call = this.#calls.idOf(toolCallId)
    // A call that runs may ask, too: its output is still to come.
    const id = await this.#inOrder(async () =>
      this.#ids.for(this.#calls.isOpen(call) ? `${call}-question` : call),
    )
    // Its result cannot say that something was not sent. So a draft is none; a default is one that the run asks for.
    const timeoutPolicy = this.#run.timeoutPolicy === 'defaults' ? 'defaults' : 'decline'
    const ask = async ({ toolCallId, questions }: Omit<AskRequest, 'runId'>): Promise<Outcome> => {
      const onAsked = (record: QuestionRecord): Promise<void> =>
        this.#calls.show(toolCallId, { toolName: ASK_TOOL.name, input: { questions: record.questions } })
      const settings = { timeoutPolicy, signal: this.#or(signal), onAsked } as const
      const outcome = await askInRun(this.#run, { toolCallId, questions }, settings)
      await this.#calls.answer(toolCallId, toolResultOf(outcome))
      return outcome
    }
    return elicit(params, { id, ids: this.#ids, from: undefined, ask })
  }

  #or(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([this.#run.signal, signal])
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
