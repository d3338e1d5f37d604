import { describe, expect, it } from 'vitest'
import {
  addUserQuestion,
  type CognipeerAnswer,
  type CognipeerState,
  cognipeerTool,
  formatAnswer,
  formatEvent,
  formatRequest,
  formatResult,
  freeTextOf,
  parseAnswer,
  parseRequest,
  resolveUserQuestion,
} from '../../../src/dialects/cognipeer/index.ts'
import { submitted } from '../pairs.ts'

const input = {
  questions: [
    {
      question: 'Which framework should we use?',
      header: 'Framework',
      options: [
        { label: 'React' },
        { label: 'Vue', value: 'vue' },
        { label: 'Svelte', description: 'small' },
      ],
    },
    {
      question: 'Which extras?',
      header: 'Extras',
      options: [{ label: 'Tests' }, { label: 'CI' }],
      multiSelect: true,
      required: false,
    },
  ],
}
const call = { id: 'uq_1', toolCallId: 'call_1', input, requestedAt: '2026-01-01T00:00:00.000Z' }
const state = (allowFreeText = true): CognipeerState =>
  addUserQuestion({ messages: [{ role: 'user', content: 'Go' }], ctx: { more: 1 } }, call, { allowFreeText })
const framework = (answer: CognipeerAnswer) => ({ 'Which framework should we use?': answer })
const messageOf = (resolved: CognipeerState) => {
  const message = resolved.messages?.at(-1) as { content: string }
  return { ...message, content: JSON.parse(message.content) }
}
const refused = (code: string, ...faults: { path: string; expected: string }[]) =>
  expect.objectContaining({ code, ...(faults.length > 0 && { faults }) })

describe('parseRequest', () => {
  const [question] = input.questions
  const labels = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `${index}` }))
  it.each([
    ['no questions', { questions: [] }, 'questions'],
    ['five questions', { questions: labels(5).map(({ label }) => ({ question: label })) }, 'questions'],
    ['an empty question', { questions: [{ question: '' }] }, 'questions.0.question'],
    ['a long header', { questions: [{ ...question, header: 'x'.repeat(41) }] }, 'questions.0.header'],
    ['one option', { questions: [{ ...question, options: labels(1) }] }, 'questions.0.options'],
    ['13 options', { questions: [{ ...question, options: labels(13) }] }, 'questions.0.options'],
    ['an unknown key', { questions: [question], title: 'T' }, 'title'],
    ['an unknown key of a question', { questions: [{ ...question, id: 'q' }] }, 'questions.0.id'],
    [
      'an unknown key of an option',
      { questions: [{ ...question, options: [{ label: 'A', id: 'a' }, { label: 'B' }] }] },
      'questions.0.options.0.id',
    ],
  ])('refuses %s', (_, wrong, path) => {
    expect(() => parseRequest(wrong)).toThrow(
      expect.objectContaining({ code: 'INVALID_QUESTIONS', faults: [expect.objectContaining({ path })] }),
    )
  })

  it('needs options only where answers cannot be typed', () => {
    const open = { questions: [{ question: 'Why?' }] }
    expect(parseRequest(open)).toEqual([{ id: 'q1', question: 'Why?' }])
    expect(() => parseRequest(open, { allowFreeText: false })).toThrow(refused('INVALID_QUESTIONS'))
    for (const allowFreeText of [true, false])
      expect(
        cognipeerTool({ allowFreeText }).inputSchema.properties?.questions?.items?.required?.includes(
          'options',
        ),
      ).toBe(!allowFreeText)
  })
})

describe('cognipeerTool', () => {
  it('describes itself in words of its own, or in those it is given', () => {
    expect(cognipeerTool().description).toMatch(/^Asks the user one to four questions/)
    expect(cognipeerTool({ promptOverride: 'Ask about colours' }).description).toBe('Ask about colours')
  })

  it('tells models that there are no keys but its own', () => {
    const { inputSchema } = cognipeerTool()
    expect(inputSchema.additionalProperties).toBe(false)
    expect(inputSchema.properties?.questions?.items?.additionalProperties).toBe(false)
  })
})

describe('formatRequest', () => {
  const options = [{ label: 'A' }, { label: 'B', value: 'b', description: 'd', preview: 'p' }]

  it('writes all that the tool knows, and leaves out what it does not', () => {
    const full = {
      question: 'Q?',
      header: 'H',
      options,
      multiSelect: true,
      placeholder: 'P',
      required: false,
    }
    const marked = options.map((option) => ({ ...option, recommended: true }))
    const asked = { ...full, id: 'q9', options: marked, defaultOption: 'A' }
    expect(formatRequest([asked])).toEqual({ questions: [full] })
    expect(formatRequest([{ question: 'Q?' }])).toEqual({ questions: [{ question: 'Q?' }] })
  })

  it('knows whether answers to all questions may be typed', () => {
    expect(freeTextOf([{ question: 'Q?' }, { question: 'R?', options, allowFreeText: true }])).toBe(true)
    expect(freeTextOf([{ question: 'Q?', options, allowFreeText: false }])).toBe(false)
    expect(() => formatRequest([{ question: 'Q?', allowFreeText: false }])).toThrow(
      refused('INVALID_QUESTIONS'),
    )
  })

  it('refuses questions of which only some may be typed', () => {
    const options = [{ label: 'A' }, { label: 'B' }]
    expect(() =>
      formatRequest([
        { question: 'First?', options },
        { question: 'Second?', options, allowFreeText: false },
      ]),
    ).toThrow(
      refused('INVALID_QUESTIONS', {
        path: 'questions',
        expected: 'typed answers to all questions, or to none',
      }),
    )
  })
})

describe('addUserQuestion', () => {
  it('puts an entry that is pending into the state, and says who is waited for', () => {
    expect(state()).toEqual({
      messages: [{ role: 'user', content: 'Go' }],
      pendingUserQuestions: [
        {
          id: 'uq_1',
          toolCallId: 'call_1',
          toolName: 'ask_user_question',
          status: 'pending',
          requestedAt: '2026-01-01T00:00:00.000Z',
          allowFreeText: true,
          questions: input.questions,
        },
      ],
      ctx: {
        more: 1,
        __awaitingUserQuestion: {
          id: 'uq_1',
          toolCallId: 'call_1',
          requestedAt: '2026-01-01T00:00:00.000Z',
        },
      },
    })
    expect(addUserQuestion(state(), { ...call, id: 'uq_2' })).toEqual(state())
  })

  it('asks nothing that cannot be asked', () => {
    expect(() => addUserQuestion({}, { ...call, input: {} })).toThrow(refused('INVALID_QUESTIONS'))
  })
})

describe('resolveUserQuestion', () => {
  it('gives the model the answers as the result of the tool call', () => {
    const before = state()
    const copy = structuredClone(before)
    const resolved = resolveUserQuestion(
      before,
      {
        id: 'uq_1',
        answeredBy: 'ada@team',
        notes: 'checked',
        answers: {
          ...framework({ values: ['Svelte'], notes: 'small is good' }),
          'Which extras?': { values: ['Tests', 'CI'], freeText: ' and docs ' },
          'Something else?': { values: ['ignored'] },
        },
      },
      { answeredAt: '2026-01-01T00:01:00.000Z' },
    )
    expect(resolved.messages?.slice(0, -1)).toEqual(before.messages)
    expect(messageOf(resolved)).toEqual({
      role: 'tool',
      name: 'ask_user_question',
      tool_call_id: 'call_1',
      content: {
        status: 'answered',
        answers: [
          {
            question: 'Which framework should we use?',
            header: 'Framework',
            values: ['Svelte'],
            notes: 'small is good',
          },
          {
            question: 'Which extras?',
            header: 'Extras',
            values: ['Tests', 'CI'],
            freeText: 'and docs',
          },
        ],
        reviewerNotes: 'checked',
      },
    })
    expect(resolved.pendingUserQuestions).toMatchObject([
      { status: 'answered', answeredBy: 'ada@team', answeredAt: '2026-01-01T00:01:00.000Z' },
    ])
    expect(resolved.ctx).toEqual({ more: 1, __userQuestionResolved: { id: 'uq_1', status: 'answered' } })
    expect(before).toEqual(copy)
  })

  it('finds an entry by its tool call, and an answer by its question’s header', () => {
    const resolved = resolveUserQuestion(state(), {
      id: 'call_1',
      answers: { Framework: { values: ['vue'] }, Extras: { values: ['CI'] } },
    })
    expect(messageOf(resolved).content.answers).toMatchObject([
      { header: 'Framework', values: ['vue'] },
      { header: 'Extras', values: ['CI'] },
    ])
  })

  it('takes no answer by a header that is also another question’s', () => {
    const questions = [
      { question: 'Name', required: false },
      { question: 'Whose?', header: 'Name', required: false },
    ]
    const two = addUserQuestion({}, { ...call, input: { questions } })
    const answers = { Name: { values: [], freeText: 'Demo' } }
    expect(messageOf(resolveUserQuestion(two, { id: 'uq_1', answers })).content.answers).toEqual([
      { question: 'Name', values: [], freeText: 'Demo' },
      { question: 'Whose?', header: 'Name', values: [] },
    ])
  })

  it('takes an answer by an unclear name for a required question without another answer', () => {
    const questions = [
      { question: 'Name', required: false },
      { question: 'Whose?', header: 'Name' },
      { question: 'When?', header: 'Name', required: false },
    ]
    const asked = addUserQuestion({}, { ...call, input: { questions } })
    const entriesOf = (answers: Record<string, CognipeerAnswer>) =>
      messageOf(resolveUserQuestion(asked, { id: 'uq_1', answers })).content.answers.map(
        ({ freeText }: CognipeerAnswer) => freeText,
      )
    const said = (freeText: string): CognipeerAnswer => ({ values: [], freeText })
    expect(entriesOf({ Name: said('a') })).toEqual(['a', 'a', undefined])
    expect(entriesOf({ Name: said('a'), 'Whose?': said('b') })).toEqual(['a', 'b', undefined])
  })

  it('takes the answer to one of two questions with the same text for each that needs one', () => {
    const questions = [{ question: 'Why?' }, { question: 'Why?', header: 'Because' }]
    const asked = addUserQuestion({}, { ...call, input: { questions } })
    const answers = { 'Why?': { values: [], freeText: 'a' }, Because: { values: [], freeText: 'b' } }
    expect(messageOf(resolveUserQuestion(asked, { id: 'uq_1', answers })).content.answers).toMatchObject([
      { freeText: 'a' },
      { freeText: 'a' },
    ])
  })

  it('tells the model that the user dismissed the question', () => {
    const [silent, said] = [{}, { notes: 'User closed the modal' }].map((more) =>
      messageOf(resolveUserQuestion(state(), { id: 'uq_1', cancelled: true, ...more })),
    )
    expect(silent?.content).toEqual({
      status: 'cancelled',
      message: expect.stringContaining('dismissed the questions'),
    })
    expect(said?.content).toEqual({ status: 'cancelled', message: 'User closed the modal' })
  })

  it('decides about one of several entries, and waits on for the next', () => {
    const two = addUserQuestion(state(), { ...call, id: 'uq_2', toolCallId: 'call_2' })
    const resolved = resolveUserQuestion(two, { id: 'uq_1', cancelled: true })
    expect(resolved.pendingUserQuestions?.map(({ status }) => status)).toEqual(['cancelled', 'pending'])
    expect(resolved.ctx).toMatchObject({ __awaitingUserQuestion: { id: 'uq_2', toolCallId: 'call_2' } })
  })

  it('refuses in Cognipeer’s order: no such entry, decided already, then the answers', () => {
    expect(() => resolveUserQuestion(state(), { id: 'uq_9', answers: {} })).toThrow(refused('NOT_FOUND'))
    const decided = resolveUserQuestion(state(), { id: 'uq_1', cancelled: true })
    expect(() => resolveUserQuestion(decided, { id: 'uq_1', answers: {} })).toThrow(refused('CONFLICT'))
  })

  const path = 'answers.Which framework should we use?'
  it.each<[string, boolean, Record<string, CognipeerAnswer>, string]>([
    ['a required question without an answer', true, {}, 'an answer'],
    [
      'typed words where none are allowed, before anything else',
      false,
      framework({ values: ['React', 'vue'], freeText: 'Qwik' }),
      'one of the options, not a typed answer',
    ],
    [
      'a required question with an empty answer',
      true,
      framework({ values: [], freeText: ' ' }),
      'an option or a typed answer',
    ],
    ['several values of a single choice', true, framework({ values: ['React', 'vue'] }), 'a single value'],
    [
      'a value that is no option where typed words are not allowed',
      false,
      framework({ values: ['Vue'] }),
      'values of "React", "vue", "Svelte"',
    ],
  ])('refuses %s', (_, allowFreeText, answers, expected) => {
    expect(() => resolveUserQuestion(state(allowFreeText), { id: 'uq_1', answers })).toThrow(
      refused('INVALID_ANSWERS', { path, expected }),
    )
  })

  it('takes a value that is no option for a typed answer, where typed words are allowed', () => {
    const given = { answers: framework({ values: ['Qwik'] }) }
    expect(
      messageOf(resolveUserQuestion(state(), { id: 'uq_1', ...given })).content.answers[0].values,
    ).toEqual(['Qwik'])
    expect(parseAnswer(parseRequest(input), given)).toEqual({
      status: 'completed',
      responses: { q1: { selected: [], freeText: 'Qwik', source: 'human' } },
    })
  })
})

describe('parseAnswer', () => {
  it('keeps words typed beside a single choice as a note', () => {
    const answers = framework({ values: ['vue'], freeText: 'version 3', notes: 'please' })
    expect(parseAnswer(parseRequest(input), { answers })).toEqual({
      status: 'completed',
      responses: { q1: { selected: ['vue'], notes: 'version 3\nplease', source: 'human' } },
    })
    const silent = { answers: framework({ values: ['vue'], freeText: 'version 3' }) }
    expect(parseAnswer(parseRequest(input), silent)).toMatchObject({
      responses: { q1: { selected: ['vue'], notes: 'version 3' } },
    })
  })

  it('reads a cancellation with its reason', () => {
    expect(parseAnswer(parseRequest(input), { cancelled: true, notes: 'later' })).toEqual({
      status: 'declined',
      reason: 'later',
    })
  })
})

describe('formatAnswer', () => {
  it('gives what resolveUserQuestion takes, and formatResult what that tells the model', () => {
    const outcome = {
      ...submitted(parseRequest(input), { q1: { selected: ['vue'], source: 'human' } }),
      answeredBy: 'ada@team',
    }
    const resolved = resolveUserQuestion(state(), { id: 'uq_1', ...formatAnswer(outcome) })
    expect(resolved.pendingUserQuestions?.[0]).toMatchObject({ status: 'answered', answeredBy: 'ada@team' })
    expect(messageOf(resolved).content).toEqual(formatResult(outcome))
  })

  it('cancels what has no answer, and says why', () => {
    const outcome = { ...submitted(parseRequest(input), {}), reason: 'Ask my boss' }
    expect(formatResult(outcome)).toEqual({
      status: 'cancelled',
      message: expect.stringContaining('declined to answer, saying "Ask my boss"'),
    })
  })

  it('cancels a time-out, though each question has a draft', () => {
    const outcome = {
      ...submitted(parseRequest(input), { q1: { selected: ['vue'], source: 'human' } }),
      kind: 'timed-out' as const,
    }
    expect(formatAnswer(outcome)).toMatchObject({ cancelled: true })
  })
})

describe('formatEvent', () => {
  it('tells what waits, and then how it ended', () => {
    const [pending] = state().pendingUserQuestions ?? []
    const names = { type: 'user_question', id: 'uq_1', toolCallId: 'call_1' }
    expect(pending && formatEvent(pending)).toEqual({
      ...names,
      status: 'pending',
      questions: input.questions,
      allowFreeText: true,
    })
    const answers = framework({ values: ['React'] })
    const [answered] =
      resolveUserQuestion(state(), { id: 'uq_1', answers, answeredBy: 'ada' }).pendingUserQuestions ?? []
    expect(answered && formatEvent(answered)).toEqual({
      ...names,
      status: 'answered',
      answers,
      answeredBy: 'ada',
    })
    const [cancelled] =
      resolveUserQuestion(state(), { id: 'uq_1', cancelled: true }).pendingUserQuestions ?? []
    expect(cancelled && formatEvent(cancelled)).toEqual({ ...names, status: 'cancelled' })
  })
})
