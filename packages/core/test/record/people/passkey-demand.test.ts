import { describe, expect, it } from 'vitest'
import { approvalQuestion, type QuestionRecord, type Responses, viewOf } from '../../../src/internal.ts'
import {
  allowsAny,
  askedDigestOf,
  decisionOn,
  isSignable,
  signedDecision,
  signedDigest,
} from '../../../src/record/people/passkey-demand.ts'

const SITE = { rpId: 'inbox.example', origins: ['https://inbox.example'] }

const asked = approvalQuestion('Bash', { sessionScope: 'all commands' })
const record: QuestionRecord = {
  version: 1,
  toolCallId: 'call_1',
  toolName: 'Bash',
  kind: 'approval',
  questions: [{ ...asked, id: 'permission' }],
  subject: { toolName: 'Bash', input: { command: 'ls' }, editable: true },
  askedAt: '2026-01-31T09:30:15.123Z',
  timeoutMs: 'never',
  deadline: null,
  nonce: 'n1',
  runId: 'run_1',
  passkeys: { ...SITE, ids: ['AAAA'], votes: 1, runId: 'run_1' },
  state: 'open',
}
const given = (response: object): Responses => ({
  permission: { selected: [], source: 'human', ...response },
})

describe('an answer', () => {
  it.each([
    ['nothing picked', {}, false],
    ['a note alone', { notes: 'why?' }, false],
    ['a denial', { selected: ['deny'], notes: 'no' }, false],
    ['allow once', { selected: ['allow-once'] }, true],
    ['allow for the session', { selected: ['allow-session'] }, true],
    ['an option of the agent', { selected: ['option-3'] }, true],
    ['a denial beside something else', { selected: ['deny', 'allow-once'] }, true],
    ['a denial beside words', { selected: ['deny'], freeText: 'allow-once' }, true],
  ])('with %s', (_, response, allows) => {
    expect(allowsAny(given(response))).toBe(allows)
  })

  it('is signed only where it allows this one call', () => {
    const { questions } = record
    expect(isSignable(questions, given({ selected: ['allow-once'], input: {} }))).toBe(true)
    expect(isSignable(questions, given({ selected: ['deny'] }))).toBe(true)
    for (const response of [
      { selected: ['allow-session'] },
      { selected: ['allow-once'], freeText: 'and more' },
      { freeText: 'allow-once' },
    ])
      expect(isSignable(questions, given(response))).toBe(false)
  })
})

describe('what a passkey signs', () => {
  const digest = (of: QuestionRecord, responses: Responses) => signedDigest(decisionOn(of, responses))
  const allowed = given({ selected: ['allow-once'] })

  it('is the same on the page, which has no nonce', () => {
    const { toolCallId, questionDigest = '' } = viewOf({ toolCallId: 'call_1', record }, 0)
    const page = signedDecision({ toolCallId, questionDigest, asked: askedDigestOf(record) }, allowed)
    expect(signedDigest(page)).toBe(digest(record, allowed))
    expect(JSON.stringify(viewOf({ toolCallId: 'call_1', record }, 0))).not.toContain('n1')
  })

  it('does not change with what clients leave out', () => {
    const bare = { permission: { selected: ['allow-once'], notes: '', freeText: undefined } }
    expect(digest(record, bare as unknown as Responses)).toBe(digest(record, allowed))
  })

  it.each<[string, Partial<QuestionRecord>, object]>([
    ['another nonce', { nonce: 'n2' }, {}],
    ['another run that asked first', { passkeys: { ...SITE, ids: ['AAAA'], votes: 1, runId: 'run_2' } }, {}],
    ['another call', { toolCallId: 'call_2' }, {}],
    ['another command', { subject: { toolName: 'Bash', input: { command: 'rm' } } }, {}],
    ['a note', {}, { notes: 'x' }],
    ['an edit', {}, { input: { command: 'rm' } }],
  ])('differs with %s', (_, of, response) => {
    const other = digest(
      { ...record, ...of } as QuestionRecord,
      given({ selected: ['allow-once'], ...response }),
    )
    expect(other).not.toBe(digest(record, allowed))
  })
})

describe('a view', () => {
  const values = (viewer?: Parameters<typeof viewOf>[2]) =>
    viewOf({ toolCallId: 'call_1', record }, 0, viewer).questions[0]?.options?.map(({ value }) => value)

  it('has no option that allows for somebody who cannot sign', () => {
    expect(values()).toEqual(['deny'])
    expect(values({ answeredBy: 'Ada', rule: { passkey: true } })).toEqual(['deny'])
    expect(viewOf({ toolCallId: 'call_1', record }, 0).rule).toEqual({ passkey: true })
  })

  it('lets somebody with a passkey allow the call once', () => {
    const passkey = { rpId: 'x', ids: ['AAAA'], asked: 'ab' }
    expect(values({ answeredBy: 'Ada', rule: { passkey: true }, passkey })).toEqual(['allow-once', 'deny'])
  })

  it('of a call that was decided shows what was decided', () => {
    const settled = { ...record, state: 'answered' as const, settledAt: record.askedAt, responses: {} }
    expect(viewOf({ toolCallId: 'call_1', record: settled }, 0).questions[0]?.options).toHaveLength(3)
  })
})
