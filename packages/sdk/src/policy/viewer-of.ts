import {
  authorOf,
  isSameName,
  type PolicyRule,
  type QuestionRecord,
  type Viewer,
  type Vote,
} from '@sandagent/core/internal'
import { ownerOfRun } from '../run-records/run-facts.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { type HostGrants, offerWhileOpen } from './host-grants.ts'
import type { Policy } from './parse-policy.ts'

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
  const offer = await offerWhileOpen(viewer, { ...host, record, link: caller.link })
  return offer ? { ...viewer, offer } : viewer
}

interface ViewingHost {
  policy: Policy | undefined
  sandbox: AnswerableSandbox
  grants?: HostGrants | undefined
}

async function underPolicy(
  { answeredBy, roles, browser }: Caller & { browser?: string | undefined },
  record: QuestionRecord | undefined,
  { policy, sandbox }: ViewingHost,
): Promise<Viewer> {
  const author = authorOf({ answeredBy, browser })
  const rule = record && policy?.find((each) => isFor(each, record))
  if (!rule) return author
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
  return { ...author, rule, mayAnswer: allows(person), roles: rolesOf(person), counts: allows }
}

function isFor({ for: { kinds, tools } = {} }: PolicyRule, { kind, subject }: QuestionRecord): boolean {
  if (kinds && !kinds.includes(kind)) return false
  if (!tools) return true
  const toolName = kind === 'approval' ? subject?.toolName : undefined
  return toolName !== undefined && tools.some((name) => isNamed(toolName, name))
}

const isNamed = (toolName: string, name: string): boolean =>
  name.endsWith('*') ? toolName.startsWith(name.slice(0, -1)) : toolName === name
