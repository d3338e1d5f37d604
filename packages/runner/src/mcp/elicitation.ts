import { randomUUID } from 'node:crypto'
import { AskError, type AskedQuestion, type Outcome, type RunnerChannel } from '@sandagent/core'
import {
  type ElicitationResult,
  faultyQuestions,
  formatResult,
  parseRequest,
} from '@sandagent/core/dialects/mcp'
import { checkOptions, type OptionNames } from '@sandagent/core/internal'
import type { AskOptions } from '../ask/ask-options.ts'
import { askUser } from '../ask/ask-user.ts'

export interface ElicitationHandlerOptions extends Pick<AskOptions, 'timeoutMs' | 'clock' | 'onWarning'> {
  channel: RunnerChannel
  /** The server's name as people know it. It stands before everything that the server asks. */
  serverName?: string | undefined
  /** The run that asks; random when absent. */
  runId?: string | undefined
}

const NAMES: OptionNames<ElicitationHandlerOptions> = {
  channel: true,
  serverName: true,
  runId: true,
  timeoutMs: true,
  clock: 'clock',
  onWarning: 'function',
}

/**
 * What `client.setRequestHandler` takes for `elicitation/create`, by structure: `@modelcontextprotocol/client` 2 has
 * the signal in `mcpReq`, `@modelcontextprotocol/sdk` 1 beside it.
 */
export type ElicitationHandler = (
  request: { params?: unknown },
  context?: { mcpReq?: { signal?: AbortSignal }; signal?: AbortSignal },
) => Promise<ElicitationResult>

/**
 * Lets an MCP client show what servers ask of its user: as questions on the channel, one per field. The values that
 * come back have the types of the schema and fit it; an answer that does not is asked for again. Declare the
 * capability too: `elicitation: { form: {}, url: {} }`. A page is only shown; the person opens it.
 *
 * The handler throws with the code of MCP's "Invalid params" (-32602) what cannot be shown.
 */
export const createElicitationHandler = (given: ElicitationHandlerOptions): ElicitationHandler => {
  checkOptions('createElicitationHandler', given, NAMES)
  const { channel, serverName, runId = randomUUID(), ...options } = given
  const used = new Set<string>()
  /** The id of the tool call that asks, where a client of ACP names it; a call may ask more than once. */
  const idFor = (params: unknown): string => {
    const named = (params as { toolCallId?: unknown } | undefined)?.toolCallId
    if (typeof named !== 'string' || used.has(named)) return `elicitation-${randomUUID()}`
    used.add(named)
    return named
  }
  return async ({ params }, context) => {
    const id = idFor(params)
    const signal = context?.mcpReq?.signal ?? context?.signal
    const ask = (questions: readonly AskedQuestion[], toolCallId: string): Promise<Outcome> =>
      askUser(
        channel,
        { toolCallId, toolName: 'elicitation/create', questions, runId },
        // A draft over which the time ran out was never sent: to a server nobody has decided.
        { ...options, timeoutPolicy: 'decline', ...(signal && { signal }) },
      )
    try {
      const questions = parseRequest(params, serverName === undefined ? {} : { from: serverName })
      let outcome = await ask(questions, id)
      let responses = outcome.responses
      for (let round = 2; ; round++) {
        const result = formatResult({ ...outcome, responses }, params)
        if (!('faults' in result)) return result
        outcome = await ask(faultyQuestions(params, questions, result.faults), `${id}-${round}`)
        const isAnswered = Object.keys(outcome.responses).length > 0
        responses = isAnswered ? { ...responses, ...outcome.responses } : {}
      }
    } catch (error) {
      throw error instanceof AskError && error.code === 'INVALID_QUESTIONS' ? invalidParams(error) : error
    }
  }
}

/** Both SDKs answer with the `code` of what is thrown. */
const invalidParams = (cause: AskError): Error =>
  Object.assign(new Error(cause.message, { cause }), { code: -32602 })
