// Why it is so: docs/decisions/0045-over-mcp-a-given-folder-is-used.md

import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import {
  type ElicitationForm,
  type FormOptions,
  formatRequest,
  formatToolResult,
  parseAnswer,
  parseToolCall,
} from '@sandagent/core/dialects/mcp'
import {
  AskError,
  type AskedQuestion,
  type Fault,
  isRequired,
  LONGEST_TIMER_MS,
  type OutcomeFacts,
  submittedKind,
  unansweredIds,
} from '@sandagent/core/internal'
import { type CallSettings, signalOf } from './call.ts'
import { withProgress } from './progress.ts'

const ANSWER = 'answer'
/** How many forms a client of 2025 gets at most: a program in place of a person may answer wrongly for ever. */
const MAX_FORMS = 5
/** A client that declines faster than this, in milliseconds, has shown its form to nobody. */
const UNSEEN_MS = 300

interface ClientForms extends FormOptions {
  /** Asks in another place when the client has shown its form to nobody. */
  elsewhere?: (() => Promise<CallToolResult>) | undefined
}

/**
 * Asks in the client's form, and again after an invalid answer. A client of 2026 gets the form as the result of its call
 * and calls again with the answer. A client of 2025 gets the form while its call waits.
 */
export async function askClient(
  input: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
  settings: CallSettings,
  forms: ClientForms,
): Promise<CallToolResult | InputRequiredResult> {
  const { clock, progressMs } = settings
  const questions = parseToolCall(input)
  if (ctx.mcpReq.envelope) {
    const answer = ctx.mcpReq.inputResponses?.[ANSWER]
    const sentAt = Number(ctx.mcpReq.requestState())
    if (forms.elsewhere && answer !== undefined && isUnseen(questions, answer, clock.now() - sentAt))
      return forms.elsewhere()
    const read = answer === undefined ? { faults: [] } : readAnswer(questions, answer, forms)
    if ('kind' in read) return { ...formatToolResult(read) }
    return inputRequired({
      inputRequests: { [ANSWER]: formFor(questions, read.faults, forms) },
      requestState: String(clock.now()),
    })
  }
  const progress = { everyMs: progressMs, clock, place: 'its form' }
  const result = await withProgress(ctx, progress, () => askNow(questions, ctx, settings, forms))
  return result === UNSEEN && forms.elsewhere ? forms.elsewhere() : (result as CallToolResult)
}

/** Whether the client declined faster than a person can, or accepted without an answer to a required question. */
function isUnseen(questions: readonly AskedQuestion[], answer: unknown, tookMs: number): boolean {
  const { action, content } = (answer ?? {}) as { action?: unknown; content?: object | null }
  if (action !== 'accept') return tookMs < UNSEEN_MS
  return questions.some(isRequired) && Object.keys(content ?? {}).length === 0
}

const UNSEEN = Symbol('the client has shown its form to nobody')

/** Asks a client of 2025 until its answer is valid. */
async function askNow(
  questions: AskedQuestion[],
  ctx: ServerContext,
  { timeoutMs, clock }: CallSettings,
  options: ClientForms,
): Promise<CallToolResult | typeof UNSEEN> {
  const timeout = timeoutMs === 'never' ? LONGEST_TIMER_MS : Math.min(timeoutMs, LONGEST_TIMER_MS)
  let faults: readonly Fault[] = []
  for (let forms = 1; ; forms++) {
    const sentAt = clock.now()
    const answer = await send(formFor(questions, faults, options), ctx, timeout)
    if (options.elsewhere && answer !== TIMED_OUT && isUnseen(questions, answer, clock.now() - sentAt))
      return UNSEEN
    const read =
      answer === TIMED_OUT ? unanswered('timed-out', questions) : readAnswer(questions, answer, options)
    if ('kind' in read) return { ...formatToolResult(read) }
    if (forms === MAX_FORMS) throw read
    faults = read.faults
  }
}

interface FormRequest {
  method: 'elicitation/create'
  params: ElicitationForm
}

/** The questions as a form, with the faults of the last answer. */
function formFor(
  questions: readonly AskedQuestion[],
  faults: readonly Fault[],
  options: FormOptions,
): FormRequest {
  const form = formatRequest(questions, options)
  const wrong = faults.map(({ expected }) => `\n\nExpected: ${expected}`)
  return { method: 'elicitation/create', params: { ...form, message: [form.message, ...wrong].join('') } }
}

const TIMED_OUT = Symbol('nobody answered in time')

async function send({ method, params }: FormRequest, ctx: ServerContext, timeout: number): Promise<unknown> {
  try {
    return await ctx.mcpReq.send({ method, params: { ...params } }, { timeout, signal: signalOf(ctx) })
  } catch (error) {
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return TIMED_OUT
    throw error
  }
}

/** The outcome of an answer, or its faults. */
function readAnswer(
  questions: AskedQuestion[],
  answer: unknown,
  options: FormOptions,
): OutcomeFacts | AskError {
  try {
    const given = parseAnswer(questions, answer, options)
    if (given === null) return unanswered('aborted', questions)
    if (given.status === 'declined') return unanswered('declined', questions)
    const { responses } = given
    return {
      kind: submittedKind(questions, responses),
      questions,
      responses,
      unanswered: unansweredIds(questions, responses),
    }
  } catch (error) {
    if (error instanceof AskError) return error
    throw error
  }
}

const unanswered = (kind: OutcomeFacts['kind'], questions: AskedQuestion[]): OutcomeFacts => ({
  kind,
  questions,
  responses: {},
  unanswered: questions.map(({ id }) => id),
})
