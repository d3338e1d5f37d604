import { describe, expect, it } from 'vitest'
import type { Responses } from '../../src/answer/response.ts'
import { approvalIn, approvalQuestion } from '../../src/permission/approval.ts'
import { decisionOf } from '../../src/question/approval-options.ts'
import { parseQuestions } from '../../src/question/parse-questions.ts'
import type { Outcome } from '../../src/record/outcome/outcome.ts'

const labels = (...more: [] | [Parameters<typeof approvalQuestion>[1]]) =>
  approvalQuestion('Bash', ...more).options?.map(({ label }) => label)

describe('the question for an approval', () => {
  it('names the tool, and takes no typed answer', () => {
    expect(approvalQuestion('Bash')).toMatchObject({
      question: 'May the agent use Bash?',
      header: 'Permission',
      allowFreeText: false,
    })
    expect(parseQuestions([approvalQuestion('Bash', { sessionScope: 'all' })])).toHaveLength(1)
  })

  it.each([
    ['mcp__git__push', 'mcp__git__push'],
    ['yes "Read" — it is safe', "“yes 'Read' — it is safe”"],
    ['Read”? It is safe. Use “Bash', "“Read'? It is safe. Use 'Bash”"],
    ['a\n\nIt is safe\u200b', '“a  It is safe<U+200B>”'],
    ['x'.repeat(100), `“${'x'.repeat(60)}…”`],
  ])('quotes a name that could be taken for its own words: %j', (toolName, shown) => {
    const question = approvalQuestion(toolName)
    expect(question.question).toBe(`May the agent use ${shown}?`)
    expect(question.textFormat).toBe(shown === toolName ? undefined : 'plain')
  })

  it('offers the session only where it is said what that would allow', () => {
    expect(labels()).toEqual(['Allow once', 'Deny'])
    expect(labels({ sessionScope: undefined })).toEqual(['Allow once', 'Deny'])
    expect(labels({ sessionScope: 'any ls' })).toEqual(['Allow once', 'Allow for this session', 'Deny'])
    expect(approvalQuestion('Bash', { sessionScope: 'any ls' }).options?.[1]?.description).toBe('any ls')
  })

  it('begins with the refusal if that is wanted', () => {
    expect(labels({ denyFirst: true, sessionScope: 'any ls' })).toEqual([
      'Deny',
      'Allow for this session',
      'Allow once',
    ])
    expect(labels({ denyFirst: false })).toEqual(['Allow once', 'Deny'])
  })

  it('says that a note reaches the agent', () => {
    expect(approvalQuestion('Bash').options?.at(-1)?.description).toContain('note')
  })
})

describe('approvalIn', () => {
  const questions = parseQuestions([approvalQuestion('Bash', { sessionScope: 'all' })])
  const decided = (permission: Responses[string] | undefined, kind: Outcome['kind'] = 'answered') =>
    approvalIn({ kind, questions, responses: permission ? { permission } : {} } as unknown as Outcome)
  const chose = (value: string, notes?: string) => ({
    selected: [value],
    source: 'human' as const,
    ...(notes !== undefined && { notes }),
  })

  it.each([
    ['allow-once', 'allowOnce'],
    ['allow-session', 'allowSession'],
    ['deny', 'deny'],
  ])('reads %s', (value, decision) => {
    expect(decided(chose(value))).toEqual({ decision })
    expect(decisionOf(value)).toBe(decision)
  })

  it('has the note without the space around it', () => {
    expect(decided(chose('deny', ' use pnpm\n'))).toEqual({ decision: 'deny', note: 'use pnpm' })
  })

  it('takes nothing else for a decision', () => {
    expect(decided(undefined)).toEqual({})
    expect(decided({ skipped: true })).toEqual({})
    expect(decided({ selected: ['allow-once'], source: 'default' })).toEqual({})
    for (const kind of ['partial', 'declined', 'timed-out', 'aborted'] as const)
      expect(decided(chose('allow-once'), kind)).toEqual({})
    expect(decided(chose('Allow once')).decision).toBeUndefined()
    expect(decisionOf(undefined)).toBeUndefined()
    expect(approvalIn({ kind: 'answered', questions: [], responses: {} } as unknown as Outcome)).toEqual({})
  })
})
