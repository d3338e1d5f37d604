import {
  type Author,
  isSameName,
  type PolicyRule,
  type QuestionRecord,
  type Viewer,
  type Vote,
} from '@sandagent/core/internal'
import { ownerOfRun } from '../run-records/run-facts.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import type { Policy } from './parse-policy.ts'

/** Who sends a request, as the host authenticated them. */
export interface Caller {
  answeredBy?: string | undefined
  roles?: readonly string[] | undefined
  /** The id of the answer link that the request carries. */
  link?: string | undefined
}

/** What a policy says about one question. */
export interface Ruling {
  rule: PolicyRule
  /** Whether somebody may answer. A stored vote names its person as they were. */
  allows(person: Caller | Vote): boolean
  /** The roles of the rule that a person has. */
  rolesOf(person: Caller): string[]
}

/** What a policy says about a question; `null` without a policy, and for a question without a record. */
export async function rulingOf(
  policy: Policy | undefined,
  sandbox: AnswerableSandbox,
  record: QuestionRecord | undefined,
): Promise<Ruling | null> {
  const rule = record && policy?.find((each) => isFor(each, record))
  if (!rule) return null
  const { roles = [], people = [], owner: isForOwner } = rule
  const owner = isForOwner ? await ownerOfRun(sandbox, record.runId) : undefined
  const isForAll = !rule.roles && !rule.people && !isForOwner
  const rolesOf = ({ roles: given = [] }: Caller | Vote): string[] =>
    roles.filter((role) => given.includes(role))
  return {
    rule,
    // Without a name, one person could count for two.
    allows: (person) =>
      !!person.answeredBy &&
      (isForAll ||
        [...people, owner].some((name) => isSameName(name, person.answeredBy)) ||
        rolesOf(person).length > 0),
    rolesOf,
  }
}

/** What a view for one person says of a ruling. */
export const policyFields = (ruling: Ruling | null, person: Caller): Omit<Viewer, keyof Author> =>
  ruling ? { rule: ruling.rule, mayAnswer: ruling.allows(person), counts: ruling.allows } : {}

function isFor({ for: { kinds, tools } = {} }: PolicyRule, { kind, subject }: QuestionRecord): boolean {
  if (kinds && !kinds.includes(kind)) return false
  if (!tools) return true
  const toolName = kind === 'approval' ? subject?.toolName : undefined
  return toolName !== undefined && tools.some((name) => isNamed(toolName, name))
}

const isNamed = (toolName: string, name: string): boolean =>
  name.endsWith('*') ? toolName.startsWith(name.slice(0, -1)) : toolName === name
