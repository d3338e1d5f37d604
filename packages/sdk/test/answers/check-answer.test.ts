import {
  type AnswerFile,
  type AnswerRequest,
  AskError,
  questionDigestOf,
  type Receipt,
  withReceipt,
} from '@sandagent/core/internal'
import { answerFileFor, openRecord, receiptOf } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { type CheckFacts, checkAnswer } from '../../src/answers/check-answer.ts'

const record = openRecord('c')
const NOW = Date.parse('2026-01-01T00:01:00.000Z')
const A = { q1: { selected: ['A'], source: 'human' as const } }
const B = { q1: { selected: ['B'], source: 'human' as const } }

const final = (more: Partial<AnswerFile> = {}) => answerFileFor('c', { status: 'completed', ...more })
const click = (more: Partial<AnswerFile> = {}) => final({ replaceable: true, ...more })
const settled = (receipt: Partial<Receipt> = {}) => withReceipt(record, receiptOf(receipt))
const request = (more: Partial<AnswerRequest> = {}): AnswerRequest => ({
  toolCallId: 'c',
  responses: A,
  status: 'completed',
  ...more,
})
const facts = (more: Partial<CheckFacts> = {}): CheckFacts => ({
  viewer: {},
  needsRecord: true,
  isOnce: false,
  order: undefined,
  now: NOW,
  ...more,
})

/** The error that a check throws. */
function refusal(...args: Parameters<typeof checkAnswer>): AskError {
  try {
    checkAnswer(...args)
  } catch (error) {
    if (error instanceof AskError) return error
    throw error
  }
  throw new Error('The answer was not refused')
}

const BO = { answeredBy: 'bo', rule: { roles: ['lead'] }, mayAnswer: false }

it('the first fault of a request decides which error it gets', () => {
  const state = { toolCallId: 'c', record }
  const seen = { questionDigest: 'other' }
  const misfit = { responses: { q1: { selected: ['C'], source: 'human' as const } } }
  const all = request({ ...seen, ...misfit })
  const closed = { toolCallId: 'c', record: settled({ state: 'timed-out', responses: {} }) }
  const under = facts({ viewer: BO })
  const taken = { ...state, answerFile: final({ answeredBy: 'ada' }) }
  const codeOf = (...args: Parameters<typeof checkAnswer>): string => refusal(...args).code
  expect(codeOf({ toolCallId: 'c' }, all, under)).toBe('NOT_FOUND')
  expect(codeOf({ ...closed, answerFile: final({ answeredBy: 'ada' }) }, all, under)).toBe('GONE')
  expect(codeOf(closed, all, under)).toBe('GONE')
  expect(codeOf(taken, all, under)).toBe('CONFLICT')
  expect(codeOf(state, all, under)).toBe('NOT_ALLOWED')
  expect(codeOf(state, all, facts())).toBe('CHANGED')
  expect(codeOf(state, request(misfit), facts())).toBe('INVALID_ANSWERS')
  expect(codeOf(state, request(misfit), facts({ viewer: { ...BO, mayAnswer: true } }))).toBe(
    'INVALID_ANSWERS',
  )
  expect(checkAnswer(state, request(), facts())).toMatchObject({ kind: 'new', answer: { responses: A } })
})

describe('a refused request', () => {
  const under = facts({ viewer: BO })
  const state = {
    toolCallId: 'c',
    record: { ...record, timeoutMs: 90_000, deadline: '2026-01-01T00:01:30Z' },
  }

  it('by the policy names who may answer, and shows the question as this person may see it', () => {
    expect(refusal(state, request(), under)).toMatchObject({
      message: 'Only a person with the role lead may answer this',
      facts: { question: { toolCallId: 'c', mayAnswer: false, rule: BO.rule, remainingMs: 30_000 } },
    })
  })

  it.each([
    ['CHANGED', state, request({ askedAt: '2025-01-01T00:00:00.000Z' }), undefined],
    ['GONE', { ...state, record: settled({ state: 'aborted', responses: {} }) }, request(), undefined],
    ['CONFLICT', { ...state, answerFile: final({ answeredBy: 'ada' }) }, request({ responses: B }), true],
  ] as const)('that is %s shows the question as this person may see it', (code, of, wrong, byOther) => {
    const { code: refused, facts: shown } = refusal(of, wrong, facts({ viewer: { answeredBy: 'bo' } }))
    expect(refused).toBe(code)
    expect((shown as { question: object }).question).toMatchObject({
      toolCallId: 'c',
      ...(byOther && { byOther }),
    })
  })

  it('that does not fit has its faults', () => {
    const misfit = request({ responses: { q2: A.q1 } })
    expect(refusal(state, misfit, facts()).faults.map(({ path }) => path)).toEqual([
      'responses.q2',
      'responses.q1',
    ])
  })
})

it('what a request says of the question that was seen must be true of it', () => {
  const state = { toolCallId: 'c', record }
  const seen = { questionDigest: questionDigestOf(record), askedAt: record.askedAt }
  expect(checkAnswer(state, request(seen), facts()).kind).toBe('new')
  for (const wrong of [{ questionDigest: 'other' }, { askedAt: '2025-01-01T00:00:00.000Z' }])
    expect(refusal(state, request({ ...seen, ...wrong }), facts()).code).toBe('CHANGED')
})

describe('an answer that is sent again', () => {
  const ada = { viewer: { answeredBy: 'ada' } }
  const stored = final({ answeredBy: 'ada' })
  const state = { toolCallId: 'c', record, answerFile: stored }
  const declined = final({ status: 'declined', responses: {}, reason: 'no', answeredBy: 'ada' })
  const vote = { answeredBy: 'bo', timestamp: record.askedAt, revision: 1 }
  const noted = { q1: { ...A.q1, notes: 'mine' } }
  const rule = { votes: 2 }

  it.each<[string, object, AnswerFile, AnswerRequest, Partial<CheckFacts>, boolean]>([
    ['the same answer', {}, stored, request(), ada, true],
    ['the same of another person', {}, stored, request(), { viewer: { answeredBy: 'bo' } }, false],
    ['another answer', {}, stored, request({ responses: B }), ada, false],
    ['with another note', {}, stored, request({ responses: noted }), ada, false],
    ['with another status', {}, stored, request({ status: 'pending' }), ada, false],
    [
      'of a voter, with another note',
      {},
      final({ votes: [vote], rule }),
      request({ responses: noted }),
      { viewer: { answeredBy: ' Bo' } },
      true,
    ],
    [
      'of a voter, but another answer',
      {},
      final({ votes: [vote], rule }),
      request({ responses: B }),
      { viewer: { answeredBy: 'bo' } },
      false,
    ],
    [
      'of one vote that is enough, with another note',
      {},
      final({ votes: [vote], rule: { votes: 1 } }),
      request({ responses: noted }),
      { viewer: { answeredBy: 'bo' } },
      false,
    ],
    ['of nobody who voted', {}, final({ votes: [vote], rule, answeredBy: 'bo' }), request(), ada, false],
    ['the same refusal', {}, declined, request({ status: 'declined', reason: 'no' }), ada, true],
    [
      'a refusal for another reason',
      {},
      declined,
      request({ status: 'declined', reason: 'else' }),
      ada,
      false,
    ],
    ['an answer with a reason', {}, stored, request({ reason: 'why' }), ada, true],
    [
      'over a link, from the same browser',
      {},
      final({ browser: 'x' }),
      request({ browser: 'x' }),
      { viewer: { browser: 'x' }, isOnce: true },
      true,
    ],
    [
      'over a link, from another browser',
      {},
      final({ answeredBy: 'ada', browser: 'x' }),
      request({ browser: 'y' }),
      { ...ada, isOnce: true },
      false,
    ],
    ['over a link, from no browser', {}, stored, request(), { ...ada, isOnce: true }, false],
    ['that the agent has', { record: settled({ answeredBy: 'ada' }) }, stored, request(), ada, true],
    [
      'that the agent has, unpublished',
      { record: settled({ answeredBy: 'ada' }), unpublished: true },
      stored,
      request(),
      ada,
      true,
    ],
  ])('%s', (_, more, answerFile, again, who, isStored) => {
    const args = [{ ...state, ...more, answerFile }, again, facts(who)] as const
    if (isStored) expect(checkAnswer(...args)).toMatchObject({ kind: 'stored', answerFile })
    else expect(refusal(...args).code).toBe('CONFLICT')
  })

  it('is not acknowledged while its agent cannot find it', () => {
    const unpublished = { ...state, unpublished: true as const }
    expect(refusal(unpublished, request(), facts(ada)).code).toBe('UNREACHABLE')
    expect(
      refusal(
        { toolCallId: 'c', unpublished: true, answerFile: stored },
        request({ questions: [] }),
        facts({ ...ada, needsRecord: false }),
      ).code,
    ).toBe('UNREACHABLE')
    expect(refusal(unpublished, request({ responses: B }), facts(ada)).code).toBe('CONFLICT')
  })

  it('conflicts with who came first, and when', () => {
    const at = stored.timestamp
    const messageOf = (answerFile: AnswerFile): string =>
      refusal({ ...state, answerFile }, request({ responses: B }), facts()).message
    expect(messageOf(stored)).toBe(`Another answer came first, from ada, at ${at}`)
    expect(messageOf(final())).toBe(`Another answer came first, at ${at}`)
  })
})

describe('an answer without a status', () => {
  const at = Date.parse('2026-01-01T00:00:01.000Z')
  const state = { toolCallId: 'c', record, answerFile: click({ answeredBy: 'ada' }) }
  const clicked = request({ status: undefined, responses: B })
  const ada = { answeredBy: 'ada' }
  const order = (time: number) => ({ time, isBefore: (other: string) => Date.parse(other) > time })

  it.each([
    ['before the stored one', at - 1, 'stored'],
    ['with the stored one', at, 'new'],
    ['after the stored one', at + 1, 'new'],
    ['at no known time', undefined, 'new'],
  ])('that came %s', (_, time, kind) => {
    const when = { order: time === undefined ? undefined : order(time) }
    expect(checkAnswer(state, clicked, facts({ viewer: ada, ...when })).kind).toBe(kind)
    const draft = { ...state, answerFile: answerFileFor('c') }
    expect(checkAnswer(draft, clicked, facts(when)).kind).toBe(kind)
    const others = { ...state, answerFile: answerFileFor('c', { answeredBy: 'bo' }) }
    expect(checkAnswer(others, clicked, facts({ viewer: ada, ...when })).kind).toBe('new')
  })

  it('meets that of another browser, where nobody has a name', () => {
    const byBrowser = { ...state, answerFile: click({ browser: 'one' }) }
    expect(checkAnswer(byBrowser, clicked, facts({ viewer: { browser: 'one' } })).kind).toBe('new')
    expect(refusal(byBrowser, clicked, facts({ viewer: { browser: 'two' } })).code).toBe('CONFLICT')
  })

  it('is stored when nothing is stored, and meets the stored one of another person', () => {
    expect(checkAnswer({ toolCallId: 'c', record }, clicked, facts({ order: order(at) })).kind).toBe('new')
    expect(refusal(state, clicked, facts({ viewer: { answeredBy: 'bo' }, order: order(at) })).code).toBe(
      'CONFLICT',
    )
  })

  it('does not replace one that the agent has', () => {
    const taken = { ...state, record: settled({ answeredBy: 'ada' }) }
    expect(refusal(taken, clicked, facts({ viewer: ada, order: order(at + 1) })).code).toBe('CONFLICT')
    const without = { toolCallId: 'c', answerFile: state.answerFile }
    expect(checkAnswer(without, clicked, facts({ viewer: ada, needsRecord: false })).kind).toBe('new')
  })
})
