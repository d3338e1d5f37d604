import { approvalQuestion, type OpenRecord, type PolicyRule, parseQuestions } from '@sandagent/core/internal'
import { createMemoryFleet } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { policyFields, rulingOf } from '../../src/policy/ruling.ts'

const fleet = createMemoryFleet()
const sandbox = fleetSandbox(fleet, 'one')
const QUESTION = openRecord('a')
const approvalOf = (toolName: string, more: Partial<OpenRecord> = {}): OpenRecord =>
  openRecord('b', {
    kind: 'approval',
    toolName,
    subject: { toolName, input: {} },
    questions: parseQuestions([approvalQuestion(toolName)]),
    ...more,
  })

/** The index of the rule that counts for a question. */
async function countingRule(policy: PolicyRule[], record: OpenRecord): Promise<number | null> {
  const ruling = await rulingOf(policy, sandbox, record)
  return ruling ? policy.indexOf(ruling.rule) : null
}

const rulingFor = async (rule: PolicyRule, record = QUESTION) => {
  const ruling = await rulingOf([rule], sandbox, record)
  if (!ruling) throw new Error('No rule is for it')
  return ruling
}

describe('the rule that counts', () => {
  it('does not exist without a policy, nor for a question that nobody recorded', async () => {
    expect(await rulingOf(undefined, sandbox, QUESTION)).toBeNull()
    expect(await rulingOf([{}], sandbox, undefined)).toBeNull()
    expect(await rulingOf([{ for: { kinds: ['approval'] } }], sandbox, QUESTION)).toBeNull()
  })

  it('is the first one for its kind and its tool', async () => {
    const policy: PolicyRule[] = [
      { for: { kinds: ['question'] } },
      { for: { tools: ['Bash', 'mcp__*'] } },
      { for: { kinds: ['approval'], tools: ['Write'] } },
      {},
    ]
    expect(await countingRule(policy, QUESTION)).toBe(0)
    expect(await countingRule(policy.slice(1), QUESTION)).toBe(2)
    expect(await countingRule(policy, approvalOf('Bash'))).toBe(1)
    expect(await countingRule(policy, approvalOf('mcp__files'))).toBe(1)
    expect(await countingRule(policy, approvalOf('mcp__'))).toBe(1)
    expect(await countingRule(policy, approvalOf('Write'))).toBe(2)
    for (const toolName of ['Bash2', 'bash', 'Bas', 'mcp_', 'a mcp__files'])
      expect(await countingRule(policy, approvalOf(toolName))).toBe(3)
  })

  it('for tools is not for a question, and not for an approval without a tool', async () => {
    const policy: PolicyRule[] = [{ for: { tools: ['AskUserQuestion', '*'] } }, {}]
    const subject = { toolName: 'AskUserQuestion', input: {} }
    expect(await countingRule(policy, openRecord('a', { subject }))).toBe(1)
    const { subject: _, ...record } = approvalOf('Bash')
    expect(await countingRule(policy, record)).toBe(1)
    expect(await countingRule(policy, approvalOf('Bash'))).toBe(0)
  })
})

describe('a person under a rule', () => {
  const ada = { answeredBy: 'ada' }

  it('has a name', async () => {
    const { allows } = await rulingFor({})
    expect([allows(ada), allows({}), allows({ answeredBy: '' })]).toEqual([true, false, false])
  })

  it('is named by it, or has one of its roles', async () => {
    const { allows, rolesOf } = await rulingFor({ people: ['ada'], roles: ['lead', 'ops'] })
    expect(allows(ada)).toBe(true)
    expect(allows({ answeredBy: 'Ada\u200b' })).toBe(true)
    expect(allows({ answeredBy: 'bo' })).toBe(false)
    expect(allows({ answeredBy: 'bo', roles: ['guest'] })).toBe(false)
    expect(allows({ answeredBy: 'bo', roles: ['guest', 'ops'] })).toBe(true)
    expect(allows({ roles: ['ops'] })).toBe(false)
    expect(rolesOf({ answeredBy: 'bo', roles: ['ops', 'guest', 'lead'] })).toEqual(['lead', 'ops'])
    expect(rolesOf(ada)).toEqual([])
  })

  it('owns the run that asks, if the rule is for owners', async () => {
    const startedAt = '2026-01-01T00:00:00.000Z'
    await fleet.runs.put({ runId: 'run-1', namespace: 'one', startedAt, metadata: {}, owner: 'ada' })
    const owners = await rulingFor({ owner: true })
    expect([owners.allows(ada), owners.allows({ answeredBy: 'bo' })]).toEqual([true, false])
    const unowned = await rulingFor({ owner: true }, openRecord('a', { runId: 'run-2' }))
    expect([unowned.allows(ada), unowned.allows({})]).toEqual([false, false])
    const rules: PolicyRule[] = [{ owner: true, roles: ['lead'] }, { people: ['bo'] }, { roles: ['lead'] }]
    for (const rule of rules) expect((await rulingFor(rule)).allows(ada)).toBe('owner' in rule)
  })
})

it('a view says of a rule whether the person may answer, and whose votes count', async () => {
  expect(policyFields(null, { answeredBy: 'ada' })).toEqual({})
  const ruling = await rulingFor({ people: ['ada'] })
  expect(policyFields(ruling, { answeredBy: 'ada' })).toEqual({
    rule: { people: ['ada'] },
    mayAnswer: true,
    counts: ruling.allows,
  })
  expect(policyFields(ruling, { answeredBy: 'bo' })).toMatchObject({ mayAnswer: false })
})
