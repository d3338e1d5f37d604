import { describe, expect, it } from 'vitest'
import { parseWith } from '../../../src/lib/schema.ts'
import {
  type PolicyRule,
  ruleFor,
  votesNeeded,
  votesText,
  whoMayAnswer,
} from '../../../src/record/people/policy-rule.ts'
import { policyRuleSchema, storedRuleSchema } from '../../../src/record/people/policy-rule-schema.ts'

describe('whoMayAnswer', () => {
  it.each([
    [{}, 'a person who is signed in'],
    [{ people: [], roles: [] }, 'a person who is signed in'],
    [{ people: ['Ada'] }, 'Ada'],
    [{ roles: ['lead'] }, 'a person with the role lead'],
    [{ roles: ['lead', 'admin'] }, 'a person with the role lead or admin'],
    [{ owner: true as const }, 'the owner of the run'],
    [{ people: ['Ada', 'Ben'], owner: true as const }, 'Ada, Ben or the owner of the run'],
    [
      { people: ['Ada'], roles: ['lead'], owner: true as const },
      'Ada, a person with the role lead or the owner of the run',
    ],
  ])('says of %j: %s', (rule, text) => {
    expect(whoMayAnswer(rule)).toBe(text)
  })
})

describe('votesText', () => {
  it.each([
    [undefined, 0, ''],
    [{}, 1, ''],
    [{ votes: 1 }, 0, ''],
    [{ votes: 2 }, 0, '2 people must give the same answer'],
    [{ votes: 2 }, 1, '2 people must give the same answer; 1 has voted'],
    [{ votes: 3 }, 2, '3 people must give the same answer; 2 have voted'],
  ])('says of %j with %i votes: %s', (rule, given, text) => {
    expect(votesText(rule, given)).toBe(text)
  })

  it('counts one vote where the rule says nothing', () => {
    expect([undefined, {}, { votes: 4 }].map(votesNeeded)).toEqual([1, 1, 4])
  })
})

describe('a rule', () => {
  const read = (input: unknown) => parseWith(policyRuleSchema, input, 'INVALID_REQUEST', 'No rule')
  const stored = (input: unknown) => parseWith(storedRuleSchema, input, 'INVALID_FILE', 'No rule')
  const full = {
    for: { kinds: ['question', 'approval'], tools: ['Bash', 'mcp__*'] },
    roles: ['lead'],
    owner: true,
    people: ['Ada'],
    votes: 20,
  }

  it('is read with all its parts, and with none', () => {
    for (const rule of [full, {}, { for: {} }, { votes: 1 }]) {
      expect(read(rule)).toEqual(rule)
      expect(stored(rule)).toEqual(rule)
    }
  })

  it.each([
    [{ role: ['lead'] }, 'role: expected no such key'],
    [{ for: { tool: ['Bash'] } }, 'for.tool: expected no such key'],
    [{ for: { kinds: ['note'] } }, 'for.kinds.0: expected'],
    [{ for: { kinds: [] } }, 'for.kinds: expected at least one kind'],
    [{ for: { tools: [] } }, 'for.tools: expected at least one name'],
    [{ roles: [] }, 'roles: expected at least one name'],
    [{ people: [' '] }, 'people.0: expected text that is not empty'],
    [{ owner: false }, 'owner: expected true'],
    [{ votes: 0 }, 'votes: expected a number from 1 on'],
    [{ votes: 1.5 }, 'votes: expected a whole number'],
    [{ votes: 21 }, 'votes: expected at most 20'],
  ])('of a person is refused as %j', (rule, fault) => {
    expect(() => read(rule)).toThrow(fault)
  })

  it('of a later host may say more, and want more votes', () => {
    expect(stored({ ...full, votes: 21, weight: 2, for: { kinds: ['question'], days: 5 } })).toEqual({
      ...full,
      votes: 21,
      for: { kinds: ['question'] },
    })
    for (const votes of [0, 1.5]) expect(() => stored({ votes })).toThrow('votes')
  })
})

it.each([
  ['bash', 0],
  ['BASH ', 0],
  ['Ba\u200bsh', 0],
  ['\uff22ash', 0],
  ['MCP__shop__pay', 0],
  ['mcp\u00ad__shop', 0],
  ['shell', 1],
  ['Bash2', 1],
])('a rule is for a tool however its agent writes the name: %j', (toolName, index) => {
  const policy: PolicyRule[] = [{ for: { tools: [' bAsh', 'Mcp__*'] } }, {}]
  expect(ruleFor(policy, { kind: 'approval', subject: { toolName, input: {} } })).toBe(policy[index])
})
