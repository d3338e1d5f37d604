import type { PermissionUpdate } from '@anthropic-ai/claude-agent-sdk'
import { type Outcome, type OutcomeKind, parseQuestions, type Responses } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { approvalQuestionFor, permissionOf } from '../../../src/agents/claude/approval.ts'

const suggestions: PermissionUpdate[] = [
  {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'npm test' }, { toolName: 'Read' }],
    behavior: 'allow',
    destination: 'localSettings',
  },
  { type: 'addDirectories', directories: ['/srv'], destination: 'projectSettings' },
  { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
]
const BASH = { toolName: 'Bash', input: {} }
const labels = (...given: Parameters<typeof approvalQuestionFor>) =>
  approvalQuestionFor(...given).options?.map(({ label }) => label)

describe('approvalQuestionFor', () => {
  it('offers to allow once, for the session, or not at all, and says what the session’s rules are', () => {
    expect(labels(BASH, { suggestions })).toEqual(['Allow once', 'Allow for this session', 'Deny'])
    expect(approvalQuestionFor(BASH, { suggestions }).options?.[1]?.description).toBe(
      'Until the session ends, without asking: allow Bash(npm test), Read; work in /srv; change files in the folders it works in',
    )
  })

  it('asks to accept a plan, or to send it back', () => {
    const plan = { toolName: 'ExitPlanMode', input: { plan: '1. Do it' } }
    expect(labels(plan, {})).toEqual(['Accept the plan', 'Send it back'])
    expect(labels({ ...plan, input: {} }, {})).toEqual(['Allow once', 'Deny'])
  })

  it('says of each kind of rule what it allows', () => {
    const updates: PermissionUpdate[] = [
      { type: 'addDirectories', directories: ['/srv', '/opt'], destination: 'session' },
      { type: 'setMode', mode: 'plan', destination: 'session' },
      { type: 'removeDirectories', directories: ['/srv'], destination: 'session' },
    ]
    expect(approvalQuestionFor(BASH, { suggestions: updates }).options?.[1]?.description).toBe(
      'Until the session ends, without asking: work in /srv, /opt; mode plan; {"type":"removeDirectories","directories":["/srv"],"destination":"session"}',
    )
  })

  it('offers no rule where there is none, or none may be kept', () => {
    expect(labels(BASH, { suggestions: [] })).toEqual(['Allow once', 'Deny'])
    expect(labels(BASH, { suggestions, suppressAlwaysAllowRule: true })).toEqual(['Allow once', 'Deny'])
  })

  it('begins with the refusal where one key must not allow', () => {
    expect(labels(BASH, { suggestions, defaultToNo: true })?.[0]).toBe('Deny')
  })
})

describe('permissionOf', () => {
  const input = { command: 'npm test' }
  const outcome = (responses: Responses, kind: OutcomeKind = 'answered'): Outcome => ({
    kind,
    toolCallId: 't',
    questions: parseQuestions([approvalQuestionFor(BASH, { suggestions })]),
    answers: {},
    responses,
    unanswered: kind === 'answered' ? [] : ['permission'],
    settledAt: '2026-01-01T00:00:00.000Z',
    elapsedMs: 5000,
  })
  const picked = (value: string, more: object = {}): Responses => ({
    permission: { selected: [value], source: 'human', ...more },
  })
  const permission = (responses: Responses, kind?: OutcomeKind) =>
    permissionOf(outcome(responses, kind), { toolName: 'Bash', input }, suggestions)

  it('allows with the input that the model gave, and nothing more', () => {
    expect(permission(picked('allow-once', { notes: 'fine' }))).toEqual({
      behavior: 'allow',
      updatedInput: input,
    })
  })

  it('keeps what is allowed for the session out of every settings file', () => {
    expect(permission(picked('allow-session'))).toEqual({
      behavior: 'allow',
      updatedInput: input,
      updatedPermissions: suggestions.map((update) => ({ ...update, destination: 'session' })),
    })
  })

  it('denies with the reason that was noted', () => {
    expect(permission(picked('deny', { notes: ' use "pnpm" ' }))).toEqual({
      behavior: 'deny',
      message:
        'Bash was not run. The user denied it, saying "use \\"pnpm\\"". Do not try to reach the same in another way; go on without it, or stop and say what you need.',
    })
  })

  it.each<[string, Responses, OutcomeKind]>([
    ['a draft when the time ran out', picked('allow-once'), 'partial'],
    ['nobody in time', {}, 'timed-out'],
    ['a refusal to answer', picked('allow-once'), 'declined'],
    ['a stopped run', {}, 'aborted'],
    ['a default', { permission: { selected: ['allow-once'], source: 'default' } }, 'answered'],
    ['a value nobody offered', picked('allow'), 'answered'],
    ['no choice', { permission: { selected: [], freeText: 'allow-once', source: 'human' } }, 'answered'],
    ['a skipped question', { permission: { skipped: true } }, 'answered'],
    ['an answer to another question', { q1: { selected: ['allow-once'], source: 'human' } }, 'answered'],
  ])('denies after %s', (_, responses, kind) => {
    expect(permission(responses, kind)).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/^Bash was not run\. /),
    })
  })
})
