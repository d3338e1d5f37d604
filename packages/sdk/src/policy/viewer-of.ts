import {
  authorOf,
  demandedBy,
  type HostPasskeys,
  isSameName,
  type PolicyRule,
  type QuestionRecord,
  ruleFor,
  type Viewer,
  type Vote,
  votesNeeded,
} from '@sandagent/core/internal'
import { ownerOfRun } from '../run-records/run-facts.ts'
import { takesFiles } from '../sandbox/attachments.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { type HostGrants, offerWhileOpen } from './host-grants.ts'
import type { Policy } from './parse-policy.ts'
import { passkeyOffer } from './passkeys.ts'

/** Who sends a request, as the host authenticated them. */
export interface Caller {
  answeredBy?: string | undefined
  roles?: readonly string[] | undefined
  /** The id of the answer link that the request carries. */
  link?: string | undefined
}

/**
 * The person who sends a request, what the policy says about them and the question, and what they can allow beyond it. The
 * policy says nothing for a question without a record.
 */
export async function viewerOf(
  caller: Caller & { browser?: string | undefined },
  { record }: { record?: QuestionRecord | undefined },
  host: ViewingHost,
): Promise<Viewer> {
  const viewer = await underPolicy(caller, record, host)
  if (viewer.rule?.passkey) {
    const passkey = await passkeyOffer(viewer, record, host.passkeys)
    return { ...viewer, ...siteOf(host.passkeys), ...(passkey && { passkey }) }
  }
  const offer = await offerWhileOpen(viewer, { ...host, record, link: caller.link })
  const wantsFiles = record?.questions.some(({ files }) => files)
  if (!wantsFiles || !takesFiles(host.sandbox)) return offer ? { ...viewer, offer } : viewer
  return { ...viewer, offer: { ...offer, takesFiles: true } }
}

interface ViewingHost {
  policy: Policy | undefined
  sandbox: AnswerableSandbox
  grants?: HostGrants | undefined
  /** Default: nobody can sign here. */
  passkeys?: HostPasskeys | undefined
}

async function underPolicy(
  { answeredBy, roles, browser }: Caller & { browser?: string | undefined },
  record: QuestionRecord | undefined,
  { policy, sandbox }: ViewingHost,
): Promise<Viewer> {
  const author = authorOf({ answeredBy, browser })
  const rule = ruleOn(record, policy)
  if (!rule) return author
  if (!record || !ruleFor(policy, record)) return { ...author, rule, mayAnswer: true, counts: isProven }
  const owner = rule.owner ? await ownerOfRun(sandbox, record.runId) : undefined
  const isForAll = !rule.roles && !rule.people && !rule.owner
  const rolesOf = ({ roles: given = [] }: Caller | Vote): string[] =>
    (rule.roles ?? []).filter((role) => given.includes(role))
  // Without a name, one person could count for two. A stored vote names its person as they were.
  const allows = (person: Caller | Vote): boolean =>
    !!person.answeredBy &&
    (isForAll ||
      [...(rule.people ?? []), owner].some((name) => isSameName(name, person.answeredBy)) ||
      rolesOf(person).length > 0)
  const person = { answeredBy, roles }
  const counts = (vote: Vote): boolean => allows(vote) && (!rule.passkey || isProven(vote))
  return { ...author, rule, mayAnswer: allows(person), roles: rolesOf(person), counts }
}

/** What this host knows of a question, whoever looks at it. */
export const hostViewOf = (
  { record }: { record?: QuestionRecord | undefined },
  { policy, passkeys }: Pick<ViewingHost, 'policy' | 'passkeys'>,
): Pick<Viewer, 'rule' | 'passkeySite'> => {
  const rule = ruleOn(record, policy)
  return { ...siteOf(passkeys), ...(rule && { rule }) }
}

const siteOf = (passkeys: HostPasskeys | undefined): Pick<Viewer, 'passkeySite'> =>
  passkeys ? { passkeySite: { rpId: passkeys.rpId, origins: passkeys.origins } } : {}

/** The rule for a question: what the policy and the run demand. */
function ruleOn(record: QuestionRecord | undefined, policy: Policy | undefined): PolicyRule | undefined {
  const own = record && ruleFor(policy, record)
  const demanded = demandedBy(record)
  return own && demanded ? stricter(own, demanded) : (own ?? demanded)
}

/** A run keeps the rule that it was started with. The host may have another one by now. */
const stricter = (own: PolicyRule, demanded: PolicyRule): PolicyRule => ({
  ...own,
  passkey: true,
  votes: Math.max(votesNeeded(own), votesNeeded(demanded)),
})

const isProven = ({ passkey }: Vote): boolean => passkey !== undefined
