import type { Interrupt } from '@ag-ui/client'
import {
  faultyQuestions,
  formatResult,
  parseInterrupt,
  type ResumeEntry,
} from '@sandagent/core/dialects/ag-ui'
import {
  type ApprovalSubject,
  ASK_TOOL,
  approvalIn,
  denialText,
  describeOutcome,
  MAX_TIMEOUT_MS,
  notRunText,
  type Outcome,
  type QuestionRecord,
  withLimit,
} from '@sandagent/core/internal'
import type { AgentRun } from '../../run/agent.ts'
import { askInRun } from '../../run/ask-in-run.ts'
import { askUntilItFits } from '../../run/ask-until-it-fits.ts'
import { toolResultOf } from '../../run/tool-result.ts'
import type { UnusedIds } from '../../run/unused-ids.ts'
import type { ShownCall, ShownCalls } from './shown-calls.ts'

/** An interrupt that is to be asked. */
export interface AskedInterrupt {
  interrupt: Interrupt
  /** The same again when the runner is started again. */
  toolCallId: string
  /** The call that it is about, if the agent told it. */
  call: ShownCall | undefined
  calls: ShownCalls
  ids: UnusedIds
}

/** Asks what an interrupt asks, and writes the answer. Answers that do not fit its schema are asked for again. */
export async function askInterrupt(
  run: AgentRun,
  { interrupt, toolCallId, call, calls, ids }: AskedInterrupt,
): Promise<ResumeEntry> {
  const { kind, questions, subject } = parseInterrupt(interrupt, call)
  const limits = limitsOf(interrupt.expiresAt, run.signal)
  if (limits === null) return { interruptId: interrupt.id, status: 'cancelled' }
  const toolName = subject?.toolName ?? ASK_TOOL.name
  const ask = async (asked: typeof questions, id: string): Promise<Outcome> => {
    const onAsked = ({ questions }: QuestionRecord): Promise<void> =>
      calls.writer.show({ toolCallId: id, toolName, input: subject?.input ?? { questions } })
    // An answer cannot say that something was not sent. So a draft is none.
    const options = { ...limits, timeoutPolicy: 'decline', onAsked } as const
    const request = { toolCallId: id, toolName, kind, questions: asked, subject }
    const outcome = await askInRun(run, request, options)
    if (id !== call?.id) {
      await calls.writer.end(id, toolResultOf(outcome))
      return outcome
    }
    // The result of a call that may run is the agent's to tell.
    const why = whyNotRun(outcome, subject ?? { toolName, input: undefined })
    if (why !== null) await calls.refuse(id, why)
    return outcome
  }
  return askUntilItFits({
    questions,
    id: toolCallId,
    ids,
    ask,
    format: (outcome) => formatResult(outcome, interrupt),
    faulty: (faults) => faultyQuestions(interrupt, questions, faults),
  })
}

function whyNotRun(outcome: Outcome, subject: ApprovalSubject): string | null {
  const { decision, note } = approvalIn(outcome)
  if (decision === undefined) return notRunText(subject.toolName, describeOutcome(outcome))
  return decision === 'deny' ? denialText(subject, note) : null
}

/** How long before its end an interrupt is asked no more, in milliseconds: an answer has to arrive in time. */
const DELIVERY_MS = 1000

/**
 * The wait for an interrupt; `null` if it is over. Who begins to answer gets no more time, as elsewhere: the agent would refuse
 * the answer.
 */
function limitsOf(
  expiresAt: string | undefined,
  signal: AbortSignal,
): { timeoutMs?: number; signal?: AbortSignal } | null {
  // A time that nobody can read is none, as the protocol says.
  const end = Date.parse(expiresAt ?? '')
  if (Number.isNaN(end)) return {}
  const remaining = end - Date.now()
  if (remaining <= 0) return null
  const timeoutMs = Math.max(1, remaining - DELIVERY_MS)
  return {
    ...(timeoutMs <= MAX_TIMEOUT_MS && { timeoutMs }),
    signal: withLimit(signal, timeoutMs + DELIVERY_MS / 2),
  }
}
