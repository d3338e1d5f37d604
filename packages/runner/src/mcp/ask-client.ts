import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import {
  type AskedQuestion,
  type OutcomeFacts,
  parseQuestions,
  submittedKind,
  unansweredIds,
} from '@sandagent/core'
import { formatRequest, formatToolResult, parseAnswer } from '@sandagent/core/dialects/mcp'
import { type CallSettings, signalOf } from './call.ts'
import { withProgress } from './progress.ts'

const ANSWER = 'answer'
/** The longest that a timer can wait: 24.8 days. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/**
 * Asks in the client's own form. A client of 2026 gets the form as the result of its call, and calls again with the
 * answer; one of 2025 is asked while its call waits.
 */
export async function askClient(
  input: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
  settings: CallSettings,
): Promise<CallToolResult | InputRequiredResult> {
  const questions = parseQuestions(input.questions)
  const elicitation = { method: 'elicitation/create' as const, params: formatRequest(questions) }
  if (!ctx.mcpReq.envelope) return resultOf(questions, await elicit(elicitation, ctx, settings))
  const answer = ctx.mcpReq.inputResponses?.[ANSWER]
  return answer === undefined
    ? inputRequired({ inputRequests: { [ANSWER]: elicitation } })
    : resultOf(questions, answer)
}

const TIMED_OUT = Symbol('nobody answered in time')

async function elicit(
  elicitation: { method: 'elicitation/create'; params: ReturnType<typeof formatRequest> },
  ctx: ServerContext,
  { timeoutMs, progressMs, clock }: CallSettings,
): Promise<unknown> {
  const timeout = timeoutMs === 'never' ? LONGEST_WAIT_MS : Math.min(timeoutMs, LONGEST_WAIT_MS)
  try {
    return await withProgress(ctx, { everyMs: progressMs, clock }, () =>
      ctx.mcpReq.send(
        { ...elicitation, params: { ...elicitation.params } },
        { timeout, signal: signalOf(ctx) },
      ),
    )
  } catch (error) {
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return TIMED_OUT
    throw error
  }
}

function resultOf(questions: AskedQuestion[], answer: unknown): CallToolResult {
  return { ...formatToolResult(outcomeOf(questions, answer)) }
}

function outcomeOf(questions: AskedQuestion[], answer: unknown): OutcomeFacts {
  const nothing = { questions, responses: {}, unanswered: questions.map(({ id }) => id) }
  if (answer === TIMED_OUT) return { kind: 'timed-out', ...nothing }
  const given = parseAnswer(questions, answer)
  if (given === null) return { kind: 'aborted', ...nothing }
  if (given.status === 'cancelled') return { kind: 'declined', ...nothing }
  const { responses } = given
  return {
    kind: submittedKind(questions, responses),
    questions,
    responses,
    unanswered: unansweredIds(questions, responses),
  }
}
