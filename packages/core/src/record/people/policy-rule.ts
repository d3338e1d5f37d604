import type { QuestionRecord } from '../question-record.ts'
import { nameKey } from './author.ts'

/** Who may answer which questions, and how many people must give the same answer. */
export interface PolicyRule {
  /** The questions that the rule is for. Absent: all that no earlier rule is for. */
  for?: {
    kinds?: ('question' | 'approval')[]
    /**
     * The tools whose approvals the rule is for: names, or the beginning of names with a `*` behind it. Case, space at the ends
     * and invisible characters do not count.
     */
    tools?: string[]
  }
  /** Everybody with one of these roles may answer. Without roles, owner and people: everybody whose name the host knows. */
  roles?: string[]
  /** Who started the run may answer. */
  owner?: true
  /** These people may answer, by name. */
  people?: string[]
  /** How many different people must give the same answer. Default 1. */
  votes?: number
  /** Only for approvals: whoever allows the call signs that with a passkey. */
  passkey?: true
}

/** The rule that a run demands, where its host has none; `undefined` for a run that demands no passkey. */
export const demandedBy = (record: QuestionRecord | undefined): PolicyRule | undefined =>
  record?.kind === 'approval' && record.passkeys
    ? { passkey: true, ...(record.passkeys.votes > 1 && { votes: record.passkeys.votes }) }
    : undefined

/** The first rule of a policy that is for a question. */
export const ruleFor = (
  policy: readonly PolicyRule[] | undefined,
  record: Pick<QuestionRecord, 'kind' | 'subject'>,
): PolicyRule | undefined => policy?.find((rule) => isFor(rule, record))

function isFor(
  { for: { kinds, tools } = {} }: PolicyRule,
  { kind, subject }: Pick<QuestionRecord, 'kind' | 'subject'>,
): boolean {
  if (kinds && !kinds.includes(kind)) return false
  if (!tools) return true
  const toolName = kind === 'approval' ? subject?.toolName : undefined
  return toolName !== undefined && tools.some((name) => isNamed(toolName, name))
}

/**
 * Whether a rule for `name` is for a tool, or for all tools of another rule's name: `mcp__*` is for all of `mcp__shop__*`.
 * Agents write the name of one tool in several ways, as people do theirs.
 */
export function isNamed(toolName: string, name: string): boolean {
  const [tool, named] = [nameKey(toolName), nameKey(name)]
  return named.endsWith('*') ? tool.startsWith(named.slice(0, -1)) : tool === named
}

/** How many different people must give the same answer. */
export const votesNeeded = (rule: PolicyRule | undefined): number => rule?.votes ?? 1

/** How many people must agree, in words; an empty text if one is enough. */
export function votesText(rule: PolicyRule | undefined, given: number): string {
  const needed = votesNeeded(rule)
  if (needed === 1) return ''
  const so = given > 0 ? `; ${given} ${given === 1 ? 'has' : 'have'} voted` : ''
  return `${needed} people must give the same answer${so}`
}

/** What a person reads of an answer that is stored and does not count; an empty text where there is none. */
export const ignoredText = ({ ignored, rule }: { ignored?: true; rule?: PolicyRule | undefined }): string =>
  !ignored
    ? ''
    : rule?.passkey
      ? 'Somebody stored an answer that no passkey has signed. It does not count, and the agent still waits. Whoever did it may have the key of the host: replace it'
      : 'Somebody stored an answer that this host has not signed. It does not count, and the agent still waits'

/** Who may answer by a rule, in words: `Ada, a person with the role lead or the owner of the run`. */
export function whoMayAnswer({ people = [], roles = [], owner }: PolicyRule): string {
  const all = [...people]
  if (roles.length > 0) all.push(`a person with the role ${anyOf(roles)}`)
  if (owner) all.push('the owner of the run')
  return all.length > 0 ? anyOf(all) : 'a person who is signed in'
}

const anyOf = (texts: readonly string[]): string =>
  texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : `${texts[0]}`
