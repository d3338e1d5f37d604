import { randomUUID } from 'node:crypto'
import { AskError, type Outcome, type RunnerChannel } from '@sandagent/core'
import {
  type ElicitationResult,
  faultyQuestions,
  formatResult,
  parseRequest,
} from '@sandagent/core/dialects/mcp'
import { checkOptions, type OptionNames, pick } from '@sandagent/core/internal'
import type { AskOptions } from '../ask/ask-options.ts'
import type { AskRequest } from '../ask/ask-request.ts'
import { askUser } from '../ask/ask-user.ts'
import { askUntilItFits, type Fitting } from '../run/ask-until-it-fits.ts'
import { UnusedIds } from '../run/unused-ids.ts'

export interface ElicitationHandlerOptions extends Pick<AskOptions, 'timeoutMs' | 'clock' | 'onWarning'> {
  channel: RunnerChannel
  /** The server's name for people. It stands before each of its questions. */
  serverName?: string | undefined
  /** Default: random. */
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
 * For `client.setRequestHandler('elicitation/create', …)` of `@modelcontextprotocol/client` 2, which has the signal in
 * `mcpReq`, and of `@modelcontextprotocol/sdk` 1, which has it beside; and for `client().onRequest('elicitation/create', …)`
 * of `@agentclientprotocol/sdk`, which has it in the request.
 */
export type ElicitationHandler = (
  request: { params?: unknown; signal?: AbortSignal },
  context?: { mcpReq?: { signal?: AbortSignal }; signal?: AbortSignal },
) => Promise<ElicitationResult>

/**
 * Asks on the channel what MCP servers, or agents of ACP, ask of a client's user, one question per field. The result fits the
 * server's schema: invalid values are asked for again. A URL is only shown; the person opens it. Declare the capability too:
 * `elicitation: { form: {}, url: {} }`.
 *
 * For a request that cannot be shown, the handler throws MCP's "Invalid params" (code -32602).
 */
export const createElicitationHandler = (given: ElicitationHandlerOptions): ElicitationHandler => {
  checkOptions('createElicitationHandler', given, NAMES)
  const { channel, serverName, runId = randomUUID(), ...options } = given
  const ids = new UnusedIds()
  return ({ params, signal: own }, context) => {
    const signal = context?.mcpReq?.signal ?? context?.signal ?? own
    // A server gets no drafts: the person has not sent them.
    const settings = { ...options, timeoutPolicy: 'decline' as const, signal }
    // Agents of ACP name the tool call that asks. A call may ask more than once.
    const { toolCallId = `elicitation-${randomUUID()}` } = pick(params, 'string', ['toolCallId'])
    return elicit(params, {
      id: ids.for(toolCallId),
      ids,
      from: serverName,
      ask: (asked) => askUser(channel, { ...asked, runId }, settings),
    })
  }
}

interface Elicited extends Pick<Fitting<ElicitationResult>, 'id' | 'ids'> {
  /** The name of the asker, for people. */
  from: string | undefined
  ask: (request: Omit<AskRequest, 'runId'>) => Promise<Outcome>
}

/**
 * Asks what an MCP server asks, as one question under the given id. What does not fit the server's schema is asked for again,
 * under an id of its own.
 *
 * @throws Error MCP's "Invalid params" for a request that cannot be shown.
 */
export async function elicit(params: unknown, { id, ids, from, ask }: Elicited): Promise<ElicitationResult> {
  try {
    const questions = parseRequest(params, from === undefined ? {} : { from })
    return await askUntilItFits({
      questions,
      id,
      ids,
      ask: (asked, toolCallId) => ask({ toolCallId, toolName: 'elicitation/create', questions: asked }),
      format: (outcome) =>
        formatResult({ ...outcome, kind: hasDefaults(outcome) ? 'partial' : outcome.kind }, params),
      faulty: (faults) => faultyQuestions(params, questions, faults),
    })
  } catch (error) {
    throw error instanceof AskError && error.code === 'INVALID_QUESTIONS' ? invalidParams(error) : error
  }
}

/** Whether the time ran out, and defaults stand in for answers because the asker opted in to them. */
const hasDefaults = ({ kind, responses }: Outcome): boolean =>
  kind === 'timed-out' && Object.keys(responses).length > 0

/** The SDKs of MCP respond with the `code` of the error, that of ACP with its message. */
const invalidParams = (cause: AskError): Error =>
  Object.assign(new Error(cause.message, { cause }), { code: -32602 })
