import { approvalQuestion, type OpenRecord, type PolicyRule, parseQuestions } from '@sandagent/core/internal'
import { createMemoryFleet } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { createMemoryChannel, openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { type Caller, viewerOf } from '../../src/policy/viewer-of.ts'

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
  const { rule } = await viewerOf({}, { record }, { policy, sandbox })
  return rule ? policy.indexOf(rule) : null
}

const under = (rule: PolicyRule, person: Caller, record = QUESTION) =>
  viewerOf(person, { record }, { policy: [rule], sandbox })

const mayAnswer = async (rule: PolicyRule, person: Caller, record = QUESTION) =>
  (await under(rule, person, record)).mayAnswer

describe('the rule that counts', () => {
  it('does not exist without a policy, nor for a question that nobody recorded', async () => {
    expect(await viewerOf({}, { record: QUESTION }, { policy: undefined, sandbox })).toEqual({})
    expect(await viewerOf({}, {}, { policy: [{}], sandbox })).toEqual({})
    expect(await countingRule([{ for: { kinds: ['approval'] } }], QUESTION)).toBeNull()
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
    for (const toolName of ['Bash2', 'b ash', 'Bas', 'mcp_', 'a mcp__files'])
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
    expect(await mayAnswer({}, ada)).toBe(true)
    expect(await mayAnswer({}, {})).toBe(false)
    expect(await mayAnswer({}, { answeredBy: '' })).toBe(false)
  })

  it.each<[Caller, boolean, string[]]>([
    [ada, true, []],
    [{ answeredBy: 'Ada\u200b' }, true, []],
    [{ answeredBy: 'bo' }, false, []],
    [{ answeredBy: 'bo', roles: ['guest'] }, false, []],
    [{ answeredBy: 'bo', roles: ['guest', 'ops'] }, true, ['ops']],
    [{ answeredBy: 'bo', roles: ['ops', 'guest', 'lead'] }, true, ['lead', 'ops']],
    [{ roles: ['ops'] }, false, ['ops']],
  ])('is named by it, or has one of its roles: %j', async (person, may, roles) => {
    const rule = { people: ['ada'], roles: ['lead', 'ops'] }
    expect(await under(rule, person)).toMatchObject({ rule, mayAnswer: may, roles })
  })

  it('owns the run that asks, if the rule is for owners', async () => {
    const startedAt = '2026-01-01T00:00:00.000Z'
    await fleet.runs.put({ runId: 'run-1', namespace: 'one', startedAt, metadata: {}, owner: 'ada' })
    expect(await mayAnswer({ owner: true }, ada)).toBe(true)
    expect(await mayAnswer({ owner: true }, { answeredBy: 'bo' })).toBe(false)
    const unowned = openRecord('a', { runId: 'run-2' })
    expect(await mayAnswer({ owner: true }, ada, unowned)).toBe(false)
    expect(await mayAnswer({ owner: true }, {}, unowned)).toBe(false)
    const rules: PolicyRule[] = [{ owner: true, roles: ['lead'] }, { people: ['bo'] }, { roles: ['lead'] }]
    for (const rule of rules) expect(await mayAnswer(rule, ada)).toBe('owner' in rule)
  })

  it('knows whose votes count', async () => {
    const { counts } = await under({ people: ['ada'], roles: ['lead'] }, { answeredBy: 'bo' })
    const vote = { answeredBy: 'cleo', timestamp: '2026-01-01T00:00:00.000Z', revision: 1 }
    expect(counts?.(vote)).toBe(false)
    expect(counts?.({ ...vote, answeredBy: 'ADA' })).toBe(true)
    expect(counts?.({ ...vote, roles: ['lead'] })).toBe(true)
  })
})

const { sandbox: memory } = createMemoryChannel()
const state = { toolCallId: 'a', record: openRecord('a') }

it('a viewer is a person by name, or else a browser', async () => {
  const none = { policy: undefined, sandbox: memory }
  expect(await viewerOf({ answeredBy: 'ada', browser: 'one' }, state, none)).toEqual({ answeredBy: 'ada' })
  expect(await viewerOf({ browser: 'one' }, state, none)).toEqual({ browser: 'one' })
  expect(await viewerOf({}, state, none)).toEqual({})
})

it('a viewer under a policy may answer by name or by role', async () => {
  const asked = { policy: [{ people: ['ada'], roles: ['lead'] }], sandbox: memory }
  const rule = asked.policy[0]
  expect(await viewerOf({ answeredBy: 'ada' }, state, asked)).toMatchObject({ rule, mayAnswer: true })
  expect(await viewerOf({ answeredBy: 'bo', roles: ['lead'] }, state, asked)).toMatchObject({
    answeredBy: 'bo',
    mayAnswer: true,
  })
  expect(await viewerOf({ answeredBy: 'bo' }, state, asked)).toMatchObject({ mayAnswer: false })
  expect(await viewerOf({ answeredBy: 'bo' }, {}, asked)).toEqual({ answeredBy: 'bo' })
})
