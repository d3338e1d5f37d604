import { AskError } from '@sandagent/core'
import { type PolicyRule, ruleFor } from '@sandagent/core/internal'
import { describe, expect, it } from 'vitest'
import { parsePolicy } from '../../src/index.ts'

/** The faults of a policy, each as a line. */
function faultsOf(input: unknown): string[] {
  try {
    parsePolicy(input)
    return []
  } catch (error) {
    if (error instanceof AskError && error.code === 'INVALID_REQUEST')
      return error.faults.map(({ path, expected }) => `${path}: ${expected}`)
    throw error
  }
}

/** Rules without faults of their own, each for one thing, so that a rule counts for all that it names or for nothing. */
const FORS: NonNullable<PolicyRule['for']>[] = [
  { kinds: ['question'] },
  { kinds: ['approval'] },
  ...['*', 'bash', 'Bash', 'mcp__*', 'mcp__shop__*', 'MCP__shop__buy'].map((name) => ({ tools: [name] })),
  { kinds: ['approval'], tools: ['*'] },
]

/** One call for each difference between those rules. */
const CALLS: Parameters<typeof ruleFor>[1][] = [
  { kind: 'question' },
  ...['Bash', 'Read', 'mcp__mail', 'mcp__shop__look', 'mcp__shop__buy'].map((toolName) => ({
    kind: 'approval' as const,
    subject: { toolName, input: {} },
  })),
]

describe('parsePolicy', () => {
  it('reads what JSON can hold', () => {
    const policy = [
      { for: { kinds: ['approval'], tools: ['Bash', 'mcp__*'] }, roles: ['lead'], people: ['Ada'], votes: 2 },
      { owner: true },
    ]
    expect(parsePolicy(JSON.parse(JSON.stringify(policy)))).toEqual(policy)
  })

  it('takes a rule for some tools before one for more of them', () => {
    const policy = [
      { for: { tools: ['mcp__shop__look'] } },
      { for: { tools: ['mcp__shop__*', 'Bash'] }, passkey: true },
      { for: { kinds: ['approval'] } },
      { for: { kinds: ['question'] } },
      {},
    ]
    expect(faultsOf(policy)).toEqual([])
  })

  it('takes every name of a tool with a `*` behind it, and a `*` alone', () => {
    expect(faultsOf([{ for: { tools: ['mcp__*'] } }, { for: { tools: ['*'] } }, {}])).toEqual([])
  })

  it('refuses a rule that is the first one for no call, and takes the others', () => {
    const policies = FORS.flatMap((a) => FORS.flatMap((b) => FORS.map((c) => [a, b, c])))
    for (const fors of policies) {
      const policy = [...fors.map((each) => ({ for: each })), {}]
      const counting = new Set(CALLS.map((call) => ruleFor(policy, call)))
      const isHidden = policy.slice(0, -1).some((rule) => !counting.has(rule))
      expect(faultsOf(policy).length > 0, JSON.stringify(fors)).toBe(isHidden)
    }
  })

  it.each([
    ['no list', { roles: ['lead'] }, [/: a list/]],
    ['no rule', [], [/: at least one rule/]],
    ['a misspelt key', [{ role: ['lead'] }], [/^0\.role: /]],
    ['a misspelt key of `for`', [{ for: { tool: ['Bash'] } }, {}], [/^0\.for\.tool: /]],
    ['no role in a list of roles', [{ roles: [] }], [/^0\.roles: at least one name/]],
    ['roles that are not given', [{ roles: undefined }], [/^0\.roles: /]],
    ['half a vote', [{ votes: 0.5 }], [/^0\.votes: a whole number/, /^0\.votes: a number from 1 on/]],
    ['too many votes', [{ votes: 21 }], [/^0\.votes: at most 20/]],
    ['a kind that does not exist', [{ for: { kinds: ['task'] } }, {}], [/^0\.for\.kinds\.0: /]],
    ['a `for` that names nothing', [{ for: {} }, {}], [/^0\.for: kinds, tools or both: /]],
    ['both kinds', [{ for: { kinds: ['question', 'approval'] } }, {}], [/^0\.for\.kinds: one kind: /]],
    [
      'tools of questions',
      [{ for: { kinds: ['question'], tools: ['Bash'] } }, {}],
      [/^0\.for\.kinds: only approval/],
    ],
    [
      'tools beside both kinds',
      [{ for: { kinds: ['question', 'approval'], tools: ['Bash'] } }, {}],
      [/^0\.for\.kinds: only approval/],
    ],
    [
      'a `*` in the middle',
      [{ for: { tools: ['Bash', 'a*b', '**'] } }, {}],
      [/^0\.for\.tools\.1: /, /tools\.2/],
    ],
    [
      'a tool that an earlier rule has',
      [{ for: { kinds: ['approval'] } }, { for: { tools: ['Bash'] }, passkey: true }, {}],
      [/^1\.for\.tools\.0: what no rule before it is for/],
    ],
    [
      'tools of which an earlier rule has some',
      [{ for: { tools: ['mcp__*', 'Edit'] } }, { for: { tools: ['Bash', 'mcp__shop__*', 'Edit'] } }, {}],
      [/^1\.for\.tools\.1: /, /^1\.for\.tools\.2: /],
    ],
    [
      'approvals behind a `*` among tools',
      [{ for: { tools: ['Read', '*'] } }, { for: { kinds: ['approval'] }, passkey: true }, {}],
      [/^1\.for: what/],
    ],
    [
      'a kind twice',
      [{ for: { kinds: ['question'] } }, { for: { kinds: ['question'] } }, {}],
      [/^1\.for: what/],
    ],
    [
      'names that only look like those of tools',
      [{ for: { tools: ['Bash ', 'Ba\u200bsh'] } }, {}],
      [/^0\.for\.tools\.0: .*without spaces/, /tools\.1/],
    ],
    [
      'a last rule for some questions',
      [{ for: { kinds: ['approval'] } }],
      [/^0\.for: nothing: the last rule/],
    ],
    ['rules behind the one for all', [{}, { owner: true }], [/^0\.for: the questions that this rule is for/]],
  ])('refuses %s, and says where', (_, input, faults) => {
    const found = faultsOf(input)
    expect(found).toHaveLength(faults.length)
    faults.forEach((fault, index) => {
      expect(found[index]).toMatch(fault)
    })
  })
})
