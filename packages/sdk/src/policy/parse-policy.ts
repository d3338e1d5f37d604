import {
  type Fault,
  invalid,
  isNamed,
  type PolicyRule,
  parseWith,
  policyRuleSchema,
  withoutHidden,
} from '@sandagent/core/internal'
import * as v from 'valibot'

/**
 * Who may answer which questions. The first rule that is for a question counts. The last rule is for all other questions: it
 * has no `for`.
 */
export type Policy = readonly PolicyRule[]

const policySchema = v.pipe(v.array(policyRuleSchema), v.minLength(1, 'at least one rule'))

/**
 * Reads a policy, such as one from a JSON file.
 *
 * @throws AskError `INVALID_REQUEST` with every fault: unknown keys, a list whose last rule is not for all other questions, and
 *   rules that never count or hide those after them.
 */
export function parsePolicy(input: unknown): Policy {
  const what = 'This is no policy'
  const rules = parseWith(policySchema, input, 'INVALID_REQUEST', what)
  const faults = rules.flatMap((rule, index) => {
    const isForApprovals = rule.for?.tools || (rule.for?.kinds && !rule.for.kinds.includes('question'))
    if (rule.passkey && !isForApprovals)
      return [
        {
          path: `${index}.passkey`,
          expected: 'beside it "for", with "kinds": ["approval"] or with tools: a passkey allows calls',
        },
      ]
    const isLast = index === rules.length - 1
    if (rule.for && !isLast)
      return [
        ...faultsOf(rule.for, `${index}.for`),
        ...hiddenBy(rules.slice(0, index), rule.for, `${index}.for`),
      ]
    if (!rule.for && isLast) return []
    const expected = isLast
      ? 'nothing: the last rule is for all other questions'
      : 'the questions that this rule is for: the rules after it would never count'
    return [{ path: `${index}.for`, expected }]
  })
  if (faults.length > 0) throw invalid('INVALID_REQUEST', what, faults)
  return rules
}

type For = NonNullable<PolicyRule['for']>

/** What earlier rules are for already, so that this rule never counts for it. */
function hiddenBy(earlier: Policy, own: For, path: string): Fault[] {
  const taken = earlier.map((rule) => rule.for ?? {})
  const isTaken = (tool: string): boolean => taken.flatMap(toolsOf).some((name) => isNamed(tool, name))
  const expected = 'what no rule before it is for: the first one counts'
  if (own.tools)
    return own.tools.flatMap((tool, index) =>
      isTaken(tool) ? [{ path: `${path}.tools.${index}`, expected }] : [],
    )
  const isHidden = toolsOf(own).every(isTaken) && (!isForQuestions(own) || taken.some(isForQuestions))
  return isHidden ? [{ path, expected }] : []
}

/** The tools whose approvals a rule is for: all of them, where it names none. */
const toolsOf = ({ kinds, tools = ['*'] }: For): string[] =>
  !kinds || kinds.includes('approval') ? tools : []

const isForQuestions = ({ kinds, tools }: For): boolean => !tools && (!kinds || kinds.includes('question'))

/** What keeps a rule from being for the questions that it seems to be for. */
function faultsOf({ kinds = [], tools }: For, path: string): Fault[] {
  if (kinds.length === 0 && !tools)
    return [
      {
        path,
        expected: 'kinds, tools or both: this is for all questions, so the rules after it would never count',
      },
    ]
  if (!tools && kinds.includes('question') && kinds.includes('approval'))
    return [{ path: `${path}.kinds`, expected: 'one kind: with both, the rules after it would never count' }]
  const faults: Fault[] = (tools ?? []).flatMap((name, index) => {
    // Such a name is that of no tool, and leaves the tool that was meant to the rules after it.
    const isMisspelt = name.slice(0, -1).includes('*') || withoutHidden(name).trim() !== name
    const expected =
      'the name of a tool, with a * at its end or none, without spaces around it and without invisible characters'
    return isMisspelt ? [{ path: `${path}.tools.${index}`, expected }] : []
  })
  if (tools && kinds.includes('question'))
    faults.push({ path: `${path}.kinds`, expected: 'only approval: tools are those of approvals' })
  return faults
}
