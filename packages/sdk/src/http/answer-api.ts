import {
  AskError,
  backgroundClock,
  type Clock,
  type OptionNames,
  reportIncident,
  systemClock,
  warningOf,
} from '@sandagent/core/internal'
import type { HostOptions } from '../answers/sandbox-channel.ts'
import { logError, logWarning, type OnWarning, onceEach } from '../answers/warnings.ts'
import type { HostGrants } from '../policy/host-grants.ts'
import { parsePolicy } from '../policy/parse-policy.ts'
import { checkSandbox } from '../sandbox/check-sandbox.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { type AccessOptions, createAccess } from './access.ts'
import { type ApiCall, type ApiContext, createApiCall } from './answer-call.ts'
import { type Decision, type DecisionFacts, outcomeOfError, reportDecision } from './audit.ts'
import { createRateLimit } from './rate-limit.ts'
import { errorReply, type Reply } from './replies.ts'
import { handlerBy } from './serve.ts'
import { presenceOf } from './stream/presence.ts'
import { type ApiRequest, webOf } from './web-request.ts'

export interface AnswerApiOptions extends AccessOptions, Pick<HostOptions, 'passkeys'> {
  /** The sandbox, or a function that finds it for a request. */
  sandbox: AnswerableSandbox | ((request: Request) => AnswerableSandbox | Promise<AnswerableSandbox>)
  /** Names the sandbox of a request in the log of decisions, where a host has several. */
  sandboxId?: ((request: Request) => string | undefined) | undefined
  /** The grants of this host: people can then allow more than one call. Default: none. */
  grants?: HostGrants | undefined
  /** Called with every decision, also about refused requests: for an audit log. */
  onDecision?: ((decision: Decision) => void) | undefined
  /**
   * Called once with each fault of the sandbox's files, such as `DISPUTED_RECEIPT`: a receipt tells of an answer that this
   * host did not store. Default: a line by `console.error`.
   */
  onWarning?: OnWarning | undefined
  /** Called with every failure of the host, which clients see as a bare 500. Default: printed by `console.error`. */
  onError?: ((error: unknown) => void) | undefined
  clock?: Clock | undefined
}

export const ANSWER_API_OPTIONS: OptionNames<AnswerApiOptions> = {
  sandbox: true,
  sandboxId: 'function',
  onDecision: 'function',
  onWarning: 'function',
  onError: 'function',
  clock: 'clock',
  authorize: 'function',
  policy: 'list',
  grants: true,
  passkeys: true,
  peerAddress: 'function',
  links: true,
  signingKeys: true,
  allowedHosts: 'list',
  allowedOrigins: 'list',
}

/**
 * The common part of all routes: access, the log of decisions, and errors as responses.
 *
 * @param given.needsRecord whether questions without a record are unknown. Under a policy they always are. Default true
 * @returns makes the handler of a route
 * @throws AskError `INVALID_REQUEST` without a sandbox, `FORBIDDEN` in production without `authorize`.
 */
export function createAnswerApi(
  options: AnswerApiOptions,
  given: { needsRecord?: boolean } = {},
): (route: (call: ApiCall) => Promise<Reply>) => (request: Request) => Promise<Response> {
  if (typeof options.sandbox !== 'function') checkSandbox(options.sandbox)
  const { sandbox, signingKeys, clock = systemClock } = options
  const policy = options.policy && parsePolicy(options.policy)
  const { grants, passkeys, onDecision, onError = logError } = options
  const access = createAccess(options, clock)
  const context: ApiContext = {
    sandboxOf: typeof sandbox === 'function' ? (request) => sandbox(webOf(request)) : () => sandbox,
    access,
    policy,
    needsRecord: given.needsRecord !== false || policy !== undefined,
    host: {
      clock,
      signingKeys,
      grants,
      passkeys,
      onWarning: options.onWarning ? onceEach(options.onWarning) : logWarning,
    },
    // Nobody waits for these timers when the process ends.
    presence: presenceOf(clock === systemClock ? backgroundClock : clock),
    limit: createRateLimit(clock),
    onError,
  }

  /** A decision is reported in any case. */
  const idOfSandbox = (request: ApiRequest): string | undefined => {
    try {
      return options.sandboxId?.(webOf(request))
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  const serve = async (route: (call: ApiCall) => Promise<Reply>, request: ApiRequest): Promise<Reply> => {
    const decisions: DecisionFacts[] = []
    const decide = (facts: DecisionFacts): DecisionFacts => {
      decisions.push(facts)
      return facts
    }
    try {
      access.refuseStrangers(request)
      return await route(createApiCall(context, request, decide))
    } catch (error) {
      const facts = decisions.at(-1) ?? decide({})
      facts.outcome = outcomeOfError(error)
      if (facts.action === undefined && request.method === 'POST')
        reportIncident({ name: 'request-refused', code: facts.outcome })
      return errorReply(error, (failure) => {
        // A page sends an answer again and again until its question is there: that is no failure of this host.
        const unknown = error instanceof AskError ? error.facts.unknownCall : undefined
        if (typeof unknown === 'string') context.host.onWarning(warningOf(error, unknown))
        else onError(failure)
      })
    } finally {
      const sandboxId = decisions.length > 0 ? idOfSandbox(request) : undefined
      for (const facts of decisions)
        reportDecision(sandboxId === undefined ? facts : { ...facts, sandboxId }, {
          onDecision,
          onError,
          clock,
        })
    }
  }
  return (route) => handlerBy((request) => serve(route, request))
}
