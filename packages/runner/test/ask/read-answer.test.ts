import {
  type AnswerFile,
  encodeAnswers,
  isAccountedFor,
  parseQuestions,
  type Question,
  type QuestionRecord,
  type QuestionResponse,
  questionDigestOf,
  type Responses,
  type SettledRecord,
  withDefaults,
} from '@sandagent/core/internal'
import { describe, expect, it } from 'vitest'
import { hasPickedAll, readAnswerFile, type TimeoutPolicy, timeoutEnding } from '../../src/ask/read-answer.ts'
import { picked, typed } from '../workspace.ts'

const FILE = { name: 'a.png', mediaType: 'image/png', size: 4, sha256: 'a'.repeat(64) }
const options = [{ label: 'A' }, { label: 'B' }]
const recordOf = (...questions: Question[]): QuestionRecord => ({
  version: 1,
  toolCallId: 'a',
  toolName: 'AskUserQuestion',
  kind: 'question',
  runId: 'run_1',
  questions: parseQuestions(questions),
  askedAt: '2026-01-01T00:00:00.000Z',
  timeoutMs: 'never',
  deadline: null,
  nonce: 'n',
  state: 'open',
})
const record = recordOf({ question: 'First?', options }, { question: 'Second?', required: false })
const answerOf = (responses: Responses, more: Partial<AnswerFile> = {}): AnswerFile => ({
  questions: record.questions,
  answers: encodeAnswers(record.questions, responses),
  status: 'completed',
  timestamp: '2026-01-01T00:00:01.000Z',
  version: 1,
  toolCallId: 'a',
  nonce: 'n',
  revision: 3,
  responses,
  ...more,
})
const first = { q1: picked('A') }

describe('an answer file', () => {
  it('that is complete ends the question, with its credits', () => {
    const both = { ...first, q2: typed('more') }
    expect(readAnswerFile(record, answerOf(both, { answeredBy: 'ada' }))).toEqual({
      kind: 'ending',
      ending: { state: 'answered', responses: both, answeredBy: 'ada', revision: 3 },
    })
    expect(readAnswerFile(record, answerOf(both, { revision: undefined } as object))).toEqual({
      kind: 'ending',
      ending: { state: 'answered', responses: both },
    })
  })

  it('that declines ends the question without responses', () => {
    expect(readAnswerFile(record, answerOf(first, { status: 'declined', reason: 'no' }))).toEqual({
      kind: 'ending',
      ending: { state: 'declined', responses: {}, reason: 'no', revision: 3 },
    })
  })

  it('that is pending is a draft, though answers are missing', () => {
    const draft = answerOf({}, { status: 'pending' })
    expect(readAnswerFile(record, draft)).toEqual({ kind: 'draft', isExpired: false })
  })

  it('without a required answer is refused, and says where', () => {
    expect(readAnswerFile(record, answerOf({ q2: typed('more') }))).toMatchObject({
      kind: 'refused',
      code: 'INVALID_ANSWERS',
      message: expect.stringMatching(/^This answer file holds no valid answer: .*q1.*: expected \w/),
    })
    const wrong = answerOf({ q1: picked('C') }, { status: 'pending' })
    expect(readAnswerFile(record, wrong)).toMatchObject({ kind: 'refused', code: 'INVALID_ANSWERS' })
  })

  it.each([
    [{ nonce: 'another' }, 'This answer file answers another question'],
    [{ questions: recordOf({ question: 'Other?', options }).questions }, 'answers what was not asked'],
    [{ questionDigest: 'a'.repeat(64) }, 'answers what was not asked'],
  ])('for other questions is refused: %j', (more, message) => {
    expect(readAnswerFile(record, answerOf(first, more as Partial<AnswerFile>))).toMatchObject({
      kind: 'refused',
      code: 'CONFLICT',
      message: expect.stringContaining(message),
    })
  })

  it('is bound to its questions by their digest, whatever else it holds', () => {
    const more = { questionDigest: questionDigestOf(record), questions: [] }
    expect(readAnswerFile(record, answerOf(first, more as Partial<AnswerFile>)).kind).toBe('ending')
  })
})

describe('whether the answer picks the one option of each question', () => {
  const single = { question: 'First?', options }
  it.each([
    [[single], { q1: picked('A') }, true],
    [[single], {}, false],
    [[single], { q1: typed('C') }, false],
    [[{ ...single, multiSelect: true }], { q1: picked('A') }, false],
    [[single, { ...single, question: 'Second?' }], { q1: picked('A') }, false],
    [[single, { ...single, question: 'Second?' }], { q1: picked('A'), q2: picked('B') }, true],
  ] as [Question[], Responses, boolean][])('%j %j', (questions, responses, expected) => {
    expect(hasPickedAll(recordOf(...questions).questions, { state: 'answered', responses })).toBe(expected)
  })
})

describe('the end of the time', () => {
  const preset = recordOf(
    { question: 'First?', options },
    { question: 'Second?', options, defaultOption: 'B' },
  )
  const draft = answerOf(first, { status: 'pending', questions: preset.questions, answeredBy: 'ada' })

  it('gives the draft with its credits, unless the asker wants all or nothing', () => {
    const partial = { state: 'partial', responses: first, answeredBy: 'ada', revision: 3 }
    expect(timeoutEnding(preset, draft, 'partial')).toEqual(partial)
    expect(timeoutEnding(preset, draft, 'decline')).toEqual({ state: 'timed-out', responses: {} })
  })

  it('adds defaults where the asker opted in, and they alone are no answer', () => {
    const second = { selected: ['B'], source: 'default' }
    expect(timeoutEnding(preset, draft, 'defaults')).toMatchObject({
      state: 'partial',
      responses: { ...first, q2: second },
    })
    expect(timeoutEnding(preset, null, 'defaults')).toEqual({ state: 'timed-out', responses: { q2: second } })
    expect(timeoutEnding(preset, null, 'partial')).toEqual({ state: 'timed-out', responses: {} })
  })

  const number = { kind: 'number', min: 100, unit: 'ms' } as const
  it.each([
    ['a number outside its limits', { typed: number, defaultText: '300' }, typed('25'), typed('250')],
    ['a text that is no number', { typed: number, defaultText: '300' }, typed('20,5'), typed('205')],
    ['an address', { typed: { kind: 'email' } }, typed('ada@'), typed('ada@example.com')],
    ['an option that is not asked', { options: [...options, { label: 'C' }] }, picked('Z'), picked('C')],
    ['a text where only options count', { options, allowFreeText: false }, typed('A or B'), picked('B')],
    ['a second option where one counts', { options }, picked('A', 'B'), picked('B')],
    ['a file where none is asked', { options }, { ...picked('A'), files: [FILE] }, picked('A')],
    ['a secret that is not encrypted', { secret: true }, typed('pw'), undefined],
  ] as [string, Partial<Question>, QuestionResponse, QuestionResponse | undefined][])(
    'takes no answer of a draft that could not be sent: %s',
    (_, question, misfit, fit) => {
      const asked = recordOf({ question: 'First?', options }, { question: 'Which?', ...question })
      const standsIn = withDefaults(asked.questions, {})
      const endingOf = (given: QuestionResponse, policy: TimeoutPolicy) =>
        timeoutEnding(asked, answerOf({ ...first, q2: given }, { status: 'pending' }), policy)
      for (const [policy, instead] of [
        ['partial', {}],
        ['defaults', standsIn],
      ] as const) {
        const ending = endingOf(misfit, policy)
        expect(ending).toMatchObject({ state: 'partial' })
        expect(ending.responses).toEqual({ ...first, ...instead })
        const draft = answerOf({ ...first, q2: misfit }, { status: 'pending' })
        const settled = { ...asked, ...ending, settledAt: asked.askedAt } as SettledRecord
        expect(isAccountedFor(settled, draft)).toBe(true)
      }
      if (fit) expect(endingOf(fit, 'partial').responses).toEqual({ ...first, q2: fit })
    },
  )

  it('that gave only what does not fit is the end of a question that nobody answered', () => {
    const asked = {
      ...recordOf({ question: 'Wait?', typed: number, defaultText: '300' }),
      blocking: false as const,
    }
    const half = answerOf({ q1: typed('25') }, { status: 'pending' })
    const responses = { q1: { ...typed('300'), source: 'default' } }
    expect(timeoutEnding(asked, half, 'partial')).toEqual({ state: 'timed-out', responses })
  })

  it('takes nothing of a draft that nobody entered', () => {
    const empty = answerOf({ q1: { selected: ['A'], source: 'default' } }, { status: 'pending' })
    expect(timeoutEnding(record, empty, 'partial')).toEqual({ state: 'timed-out', responses: {} })
  })
})
