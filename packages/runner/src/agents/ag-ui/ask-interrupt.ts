import type { Interrupt } from '@ag-ui/client'
import {
  faultyQuestions,
  formatResult,
  parseInterrupt,
  type ResumeEntry,
} from '@sandagent/core/dialects/ag-ui'
import {
  type ApprovalSubject,
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
import { writeOutcome } from '../../run/tool-result.ts'
import type { UiStream } from '../../run/ui-stream.ts'
import type { ShownCall } from './shown-calls.ts'

/** An interrupt that is to be asked. */
export interface AskedInterrupt {
  interrupt: Interrupt
  /** The same again when the runner is started again. */
  toolCallId: string
  /** The call that it is about, if the agent told it. */
  call: ShownCall | undefined
}

/** Asks what an interrupt asks, and writes the answer. Answers that do not fit its schema are asked for again. */
export async function askInterrupt(
  run: AgentRun,
  { interrupt, toolCallId, call }: AskedInterrupt,
): Promise<ResumeEntry> {
  const { ui } = run
  const { kind, questions, subject } = parseInterrupt(interrupt, call)
  const limits = limitsOf(interrupt.expiresAt, run.signal)
  if (limits === null) return { interruptId: interrupt.id, status: 'cancelled' }
  const ask = async (asked: typeof questions, id: string): Promise<Outcome> => {
    const isShown = id === call?.id
    const shown = { toolCallId: id, toolName: subject?.toolName ?? 'AskUserQuestion' }
    const onAsked = async (record: QuestionRecord): Promise<void> => {
      if (!isShown) await ui.toolInput({ ...shown, input: subject?.input ?? { questions: record.questions } })
    }
    const options = { ...limits, ...(kind === 'approval' && { timeoutPolicy: 'decline' as const }), onAsked }
    const outcome = await askInRun(run, { ...shown, kind, questions: asked, subject }, options)
    if (!isShown) await writeOutcome(ui, outcome)
    else await writeRefusal(ui, outcome, subject ?? { ...shown, input: undefined })
    return outcome
  }
  let outcome = await ask(questions, toolCallId)
  let responses = outcome.responses
  for (let round = 2; ; round++) {
    const result = formatResult({ ...outcome, responses }, interrupt)
    if (!('faults' in result)) return result
    outcome = await ask(faultyQuestions(interrupt, questions, result.faults), `${toolCallId}-${round}`)
    const isAnswered = Object.keys(outcome.responses).length > 0
    responses = isAnswered ? { ...responses, ...outcome.responses } : {}
  }
}

/** Ends a call that may not run. The result of one that may is the agent's to tell. */
async function writeRefusal(ui: UiStream, outcome: Outcome, subject: ApprovalSubject): Promise<void> {
  const { toolName } = subject
  const { decision, note } = approvalIn(outcome)
  if (decision === 'deny') await ui.toolError(outcome.toolCallId, denialText(subject, note))
  if (decision === undefined)
    await ui.toolError(outcome.toolCallId, notRunText(toolName, describeOutcome(outcome)))
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
