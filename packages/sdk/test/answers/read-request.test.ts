import { type AnswerRequest, AskError, type QuestionState, type Responses } from '@sandagent/core/internal'
import { answerFileFor as draftFor, openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { readRequest, unknownQuestion } from '../../src/answers/read-request.ts'

const record = openRecord('c')
const recorded: QuestionState = { toolCallId: 'c', record }
const A = { q1: { selected: ['A'], source: 'human' as const } }
const B = { q1: { selected: ['B'], source: 'human' as const } }

const read = (
  request: Partial<AnswerRequest>,
  { state = recorded, needsRecord = true, isOnce = false } = {} as {
    state?: QuestionState
    needsRecord?: boolean
    isOnce?: boolean
  },
) => readRequest(state, { toolCallId: 'c', ...request }, { needsRecord, isOnce })

const errorOf = (call: () => unknown): AskError => {
  try {
    call()
  } catch (error) {
    if (error instanceof AskError) return error
    throw error
  }
  throw new Error('Nothing was thrown')
}

describe('the questions of a request', () => {
  const other = [{ question: 'Else?' }]
  const stored: QuestionState = { toolCallId: 'c', answerFile: draftFor('c', { questions: other }) }
  const older = { needsRecord: false }

  it('are the recorded ones, or those of an earlier answer, or those that the client sent', () => {
    const sent = { questions: [{ question: 'Mine?' }], responses: {}, status: 'pending' as const }
    const textsOf = (state: QuestionState) =>
      read(sent, { state, ...older }).questions.map(({ id, question }) => [id, question])
    expect(textsOf({ ...stored, record })).toEqual([['q1', 'Which language?']])
    expect(textsOf(stored)).toEqual([['q1', 'Else?']])
    expect(textsOf({ toolCallId: 'c' })).toEqual([['q1', 'Mine?']])
  })

  it('are unknown without a record, unless older runners may ask and the client saw no digest', () => {
    const sent = { questions: other, answers: {} }
    for (const [request, options] of [
      [sent, {}],
      [{ answers: {} }, older],
      [{ ...sent, questionDigest: 'any' }, older],
    ] as const)
      expect(errorOf(() => read(request, { state: { toolCallId: 'c' }, ...options }))).toMatchObject({
        code: 'NOT_FOUND',
        facts: { toolCallId: 'c' },
      })
    expect(read(sent, { state: { toolCallId: 'c' }, ...older }).status).toBe('pending')
    expect(read({ ...sent, questionDigest: 'any' }).status).toBe('pending')
  })

  it('may be out of reach where nothing is', () => {
    expect(unknownQuestion({ toolCallId: 'c', isUnread: true }).code).toBe('UNREACHABLE')
  })
})

describe('what a request says', () => {
  it.each<[string, Partial<AnswerRequest>, object]>([
    [
      'a refusal, whatever is beside it',
      { status: 'declined', responses: { x: A.q1 }, answers: { y: 'z' } },
      { status: 'declined', responses: {}, isProvisional: false, faults: [] },
    ],
    [
      'responses rather than texts',
      { responses: B, answers: { 'Which language?': 'A', 'Else?': '' } },
      { status: 'completed', responses: B, isProvisional: true, faults: [] },
    ],
    [
      'texts',
      { answers: { 'Which language?': 'A' } },
      { status: 'completed', responses: A, isProvisional: true, faults: [] },
    ],
    [
      'a final answer',
      { answers: { 'Which language?': 'A' }, status: 'completed' },
      { status: 'completed', responses: A, isProvisional: false, faults: [] },
    ],
    [
      'a complete draft',
      { responses: A, status: 'pending' },
      { status: 'pending', responses: A, isProvisional: false, faults: [] },
    ],
    [
      'an empty draft',
      { responses: {} },
      { status: 'pending', responses: {}, isProvisional: false, faults: [] },
    ],
    [
      'nothing',
      {},
      {
        status: 'pending',
        responses: {},
        isProvisional: false,
        faults: [{ path: 'answers', expected: 'answers by question text, or "responses" by question id' }],
      },
    ],
  ])('is %s', (_, request, expected) => {
    const { questions, ...said } = read(request)
    expect(questions).toEqual(record.questions)
    expect(said).toEqual(expected)
  })

  it('counts once over a link, so it is not replaceable', () => {
    expect(read({ responses: A }, { isOnce: true })).toMatchObject({
      status: 'completed',
      isProvisional: false,
    })
  })

  it('is a draft as long as a required answer is missing, or as nothing is answered', () => {
    const questions = [...record.questions, { id: 'q2', question: 'Else?', required: false }]
    const optional = questions.map((question) => ({ ...question, required: false }))
    const statusOf = (responses: Responses, of: typeof questions) =>
      read({ responses }, { state: { toolCallId: 'c', record: { ...record, questions: of } } }).status
    const typed = { q2: { selected: [], freeText: 'x', source: 'human' as const } }
    expect(statusOf(A, questions)).toBe('completed')
    expect(statusOf(typed, questions)).toBe('pending')
    expect(statusOf({}, optional)).toBe('pending')
    expect(statusOf(typed, optional)).toBe('completed')
  })

  it('has a fault for every text of no question, and for what does not fit, in this order', () => {
    const { faults } = read({ answers: { 'Else?': 'x', 'More?': 'y' }, status: 'completed' })
    expect(faults.map(({ path }) => path)).toEqual(['answers.Else?', 'answers.More?', 'responses.q1'])
    expect(faults[0]?.expected).toBe('the text of a question: "Which language?"')
    expect(read({ responses: {}, status: 'completed' }).faults).toMatchObject([{ path: 'responses.q1' }])
  })
})
