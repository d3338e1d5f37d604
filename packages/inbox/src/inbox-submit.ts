import { type AnswerRequest, type Clock, parseAnswerEnvelope } from '@sandagent/core/internal'
import type { StoredAnswer } from '@sandagent/sdk/internal'
import {
  actionOf,
  type Decision,
  type DecisionFacts,
  logError,
  outcomeOfError,
  reportDecision,
  type SubmitOptions,
  submitAnswer,
} from '@sandagent/sdk/internal'
import type { InboxSandbox } from './inbox-sandbox.ts'

export type InboxSubmitOptions = Pick<SubmitOptions, 'answeredBy' | 'roles'>

type Submit = (
  sandboxId: string,
  request: AnswerRequest,
  options?: InboxSubmitOptions,
) => Promise<StoredAnswer>

/** Stores answers in the sandboxes of an inbox, and reports each decision. */
export function createSubmit(
  sandboxAt: (sandboxId: string) => Promise<InboxSandbox>,
  {
    policy,
    grants,
    passkeys,
    signingKeys,
    clock,
    onDecision,
  }: Pick<SubmitOptions, 'policy' | 'grants' | 'passkeys' | 'signingKeys'> & {
    clock: Clock
    onDecision?: ((decision: Decision) => void) | undefined
  },
): Submit {
  return async (sandboxId, request, { answeredBy, roles } = {}) => {
    const facts: DecisionFacts = { sandboxId, answeredBy }
    try {
      const { toolCallId, ...given } = parseAnswerEnvelope(request)
      Object.assign(facts, { action: actionOf(given), toolCallId })
      const { sandbox } = await sandboxAt(sandboxId)
      const stored = await submitAnswer(sandbox, request, {
        ...{ answeredBy, roles, policy, grants, passkeys, signingKeys, clock, needsRecord: true },
        onSigned(use) {
          facts.passkey = use
        },
      })
      facts.grant = stored.grant?.id
      facts.action = stored.missingVotes === undefined ? actionOf({ ...given, ...stored }) : 'vote'
      return stored
    } catch (error) {
      facts.outcome = outcomeOfError(error)
      throw error
    } finally {
      reportDecision(facts, { onDecision, onError: logError, clock })
    }
  }
}
