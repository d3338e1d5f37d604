import { describe, expect, it } from 'vitest'
import {
  formatRequest,
  formatResult,
  isToolApproval,
  parseAnswer,
  parseCommandApproval,
  parseFileApproval,
  parseMessage,
  parseRequest,
  parseToolApproval,
} from '../../../src/dialects/codex/index.ts'
import type { AskedQuestion, Outcome, OutcomeKind, Responses } from '../../../src/internal.ts'

const PLACE = {
  id: 'where',
  header: 'Place',
  question: 'Where to?',
  isOther: true,
  isSecret: false,
  options: [
    { label: 'Paris, north', description: 'by train' },
    { label: 'Rome', description: '' },
  ],
}
const outcome = (
  questions: AskedQuestion[],
  responses: Responses,
  kind: OutcomeKind = 'answered',
): Outcome => ({
  kind,
  toolCallId: 'call',
  questions,
  answers: {},
  responses,
  unanswered: questions.map(({ id }) => id).filter((id) => !(id in responses)),
  settledAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 1,
})

describe('parseRequest', () => {
  it('reads questions with options, and those to type', () => {
    const typed = { id: 'why', header: '', question: 'Why?', isOther: false, isSecret: false, options: null }
    expect(parseRequest({ questions: [PLACE, typed] })).toEqual([
      {
        id: 'where',
        header: 'Place',
        question: 'Where to?',
        options: [{ label: 'Paris, north', description: 'by train' }, { label: 'Rome' }],
        allowFreeText: true,
      },
      { id: 'why', question: 'Why?' },
    ])
  })

  it('reads a secret, which is typed', () => {
    expect(parseRequest({ questions: [{ ...PLACE, isSecret: true }] })).toEqual([
      { id: 'where', header: 'Place', question: 'Where to?', secret: true, allowFreeText: false },
    ])
  })
})

describe('formatRequest', () => {
  it.each([
    ['several choices', { question: 'a', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true }],
    ['one option', { question: 'a', options: [{ label: 'A' }] }],
  ])('refuses %s', (_, question) => {
    expect(() => formatRequest([question])).toThrow(expect.objectContaining({ code: 'INVALID_QUESTIONS' }))
  })
})

describe('formatResult', () => {
  const [question] = parseRequest({ questions: [PLACE] }) as [AskedQuestion]

  it('marks a note as the terminal of Codex does', () => {
    const response = { selected: ['Rome'], notes: 'in May', source: 'human' as const }
    const result = formatResult(outcome([question], { where: response }))
    expect(result).toEqual({ answers: { where: { answers: ['Rome', 'user_note: in May'] } } })
    expect(parseAnswer([question], result)).toEqual({ status: 'completed', responses: { where: response } })
  })

  it.each([
    ['declined', /^The user declined/],
    ['timed-out', /^Nobody answered/],
    ['aborted', /withdrawn/],
  ] as const)('says beside it that a question was %s', (kind, words) => {
    expect(formatResult(outcome([question], {}, kind))).toEqual({
      answers: {},
      untold: expect.stringMatching(words),
    })
  })
})

describe('parseAnswer', () => {
  const questions = parseRequest({ questions: [PLACE] })

  it('takes words without a choice for the answer', () => {
    expect(parseAnswer(questions, { answers: { where: { answers: ['user_note: home'] } } })).toEqual({
      status: 'completed',
      responses: { where: { selected: [], freeText: 'home', source: 'human' } },
    })
  })

  it('is null where nobody answered, and refuses answers to what was not asked', () => {
    expect(parseAnswer(questions, { answers: {} })).toBeNull()
    expect(() => parseAnswer(questions, { answers: { other: { answers: [] } } })).toThrow(
      expect.objectContaining({ code: 'INVALID_ANSWERS' }),
    )
  })
})

describe('parseMessage', () => {
  it('reads questions that have no ids', () => {
    const message = { questions: [{ title: 'Which?', options: ['A', 'B', 'A'] }, { title: 'Why?' }] }
    expect(parseMessage(message)).toMatchObject([
      { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] },
      { question: 'Why?' },
    ])
  })
})

describe('an approval', () => {
  it('of a command shows all that it permits', () => {
    const params = {
      itemId: 'i',
      kind: 'command',
      command: 'curl x',
      cwd: '/work',
      environmentId: 'remote',
      networkApprovalContext: { host: 'evil.example', protocol: 'https' },
      additionalPermissions: { network: true },
      commandActions: [{ type: 'unknown', command: 'something else' }],
    }
    expect(parseCommandApproval(params)).toEqual({
      subject: {
        toolName: 'exec_command',
        input: {
          cmd: 'curl x',
          cwd: '/work',
          environmentId: 'remote',
          networkApprovalContext: { host: 'evil.example', protocol: 'https' },
          additionalPermissions: { network: true },
        },
      },
    })
  })

  it('of a command in its usual place does not name the place', () => {
    const { subject } = parseCommandApproval({ itemId: 'i', command: 'ls', environmentId: 'local' })
    expect(subject.input).toEqual({ cmd: 'ls' })
  })

  it('of input to a program is not shown as a command', () => {
    const { subject } = parseCommandApproval({ itemId: 'i', kind: 'writeStdin', command: 'yes' })
    expect(subject).toEqual({ toolName: 'writeStdin', input: { command: 'yes' } })
  })

  it('of files shows their changes, and is refused without them', () => {
    const changes = [{ path: '/a', kind: { type: 'delete' }, diff: '' }]
    expect(parseFileApproval({ itemId: 'i', grantRoot: '/' }, { changes })).toMatchObject({
      subject: { input: { changes, grantRoot: '/' } },
    })
    for (const item of [undefined, {}, { changes: [] }])
      expect(() => parseFileApproval({ itemId: 'i' }, item)).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST' }),
      )
  })

  it('of a tool offers the session only if Codex does', () => {
    const of = (persist: unknown) => ({
      serverName: 's',
      message: 'Allow?',
      _meta: { codex_approval_kind: 'mcp_tool_call', tool_name: 't', tool_params: { a: 1 }, persist },
    })
    expect(isToolApproval(of(null))).toBe(true)
    expect(parseToolApproval(of(['session', 'always'])).sessionScope).toContain('this tool')
    expect(parseToolApproval(of('always')).sessionScope).toBeUndefined()
    expect(parseToolApproval(of(undefined))).toMatchObject({
      subject: { toolName: 'mcp__s__t', input: { a: 1 } },
    })
  })
})
