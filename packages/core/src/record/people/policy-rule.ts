/** Who may answer which questions, and how many people must give the same answer. */
export interface PolicyRule {
  /** The questions that the rule is for. Absent: all that no earlier rule is for. */
  for?: {
    kinds?: ('question' | 'approval')[]
    /** The tools whose approvals the rule is for: names, or the beginning of names with a `*` behind it. */
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

/** Who may answer by a rule, in words: `Ada, a person with the role lead or the owner of the run`. */
export function whoMayAnswer({ people = [], roles = [], owner }: PolicyRule): string {
  const all = [...people]
  if (roles.length > 0) all.push(`a person with the role ${anyOf(roles)}`)
  if (owner) all.push('the owner of the run')
  return all.length > 0 ? anyOf(all) : 'a person who is signed in'
}

const anyOf = (texts: readonly string[]): string =>
  texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : `${texts[0]}`
