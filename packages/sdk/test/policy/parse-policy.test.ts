import { AskError } from '@sandagent/core'
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

describe('parsePolicy', () => {
  it('reads what JSON can hold', () => {
    const policy = [
      { for: { kinds: ['approval'], tools: ['Bash', 'mcp__*'] }, roles: ['lead'], people: ['Ada'], votes: 2 },
      { owner: true },
    ]
    expect(parsePolicy(JSON.parse(JSON.stringify(policy)))).toEqual(policy)
  })

  it('takes every name of a tool with a `*` behind it, and a `*` alone', () => {
    expect(faultsOf([{ for: { tools: ['mcp__*'] } }, { for: { tools: ['*'] } }, {}])).toEqual([])
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
