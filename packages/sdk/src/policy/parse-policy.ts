import { invalid, type PolicyRule, parseWith, policyRuleSchema } from '@sandagent/core/internal'
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
 * @throws AskError `INVALID_REQUEST` with every fault: unknown keys, and a list whose last rule is not for all other questions.
 */
export function parsePolicy(input: unknown): Policy {
  const what = 'This is no policy'
  const rules = parseWith(policySchema, input, 'INVALID_REQUEST', what)
  const faults = rules.flatMap((rule, index) => {
    const isLast = index === rules.length - 1
    if ((rule.for === undefined) === isLast) return []
    const expected = isLast
      ? 'nothing: the last rule is for all other questions'
      : 'the questions that this rule is for: the rules after it would never count'
    return [{ path: `${index}.for`, expected }]
  })
  if (faults.length > 0) throw invalid('INVALID_REQUEST', what, faults)
  return rules
}
