import { authorOf, type QuestionState, type Viewer } from '@sandagent/core/internal'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import type { Policy } from './parse-policy.ts'
import { type Caller, policyFields, rulingOf } from './ruling.ts'

/** A person who sees a question, and what the policy says about both. */
export async function viewerOf(
  { answeredBy, roles, browser }: Caller & { browser?: string | undefined },
  { record }: QuestionState,
  { policy, sandbox }: { policy: Policy | undefined; sandbox: AnswerableSandbox },
): Promise<Viewer> {
  const ruling = await rulingOf(policy, sandbox, record)
  return { ...authorOf({ answeredBy, browser }), ...policyFields(ruling, { answeredBy, roles }) }
}
