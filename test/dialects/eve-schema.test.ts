import { parseQuestions } from '@sandagent/core'
import {
  formatRequest,
  formatResult,
  parseAnswer,
  parseRequest,
  parseSubject,
} from '@sandagent/core/dialects/eve'
import { type AskedQuestion, type Outcome, optionValue } from '@sandagent/core/internal'
import { isInputRequest, isInputResponse } from 'eve/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const words = fc.string({ maxLength: 60 })
const flag = fc.boolean()
const option = fc.record(
  {
    id: fc.oneof(words, fc.constantFrom('approve', 'cancel', 'same')),
    label: fc.oneof(words, fc.constantFrom('Same', '')),
    description: words,
    style: fc.constantFrom('primary', 'danger', 'default'),
  },
  { requiredKeys: ['id', 'label'] },
)
const request = fc.record(
  {
    requestId: words,
    kind: fc.constantFrom('question', 'tool-approval', 'session-limit'),
    prompt: words,
    options: fc.array(option, { maxLength: 12 }),
    allowFreeform: flag,
    display: fc.constantFrom('confirmation', 'select', 'text'),
    action: fc.record({
      kind: fc.constant('tool-call'),
      callId: words,
      toolName: words,
      input: fc.dictionary(words, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    }),
  },
  { requiredKeys: ['requestId', 'kind', 'prompt', 'action'] },
)
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const outcomeOf = (
  questions: AskedQuestion[],
  kind: Outcome['kind'],
  responses: Outcome['responses'],
): Outcome => ({ toolCallId: 'q', kind, questions, responses, unanswered: [], answers: {} }) as never

/** Every way in which a person, or nobody, can end a question. */
const endings = (questions: AskedQuestion[]): Outcome[] => {
  const [{ id, options = [] }] = questions as [AskedQuestion]
  const human = { source: 'human' as const }
  return [
    ...options.map((each) =>
      outcomeOf(questions, 'answered', {
        [id]: { selected: [optionValue(each)], notes: 'a note', ...human },
      }),
    ),
    outcomeOf(questions, 'answered', { [id]: { selected: [], freeText: 'my words', ...human } }),
    outcomeOf(questions, 'declined', {}),
    outcomeOf(questions, 'timed-out', {}),
  ]
}

describe('requests that the schema of eve’s own client accepts', () => {
  it('are all read, and each ending is a response that it accepts, or cancels the turn', () => {
    fc.assert(
      fc.property(request, (generated) => {
        const asked = sent(generated)
        expect(isInputRequest(asked)).toBe(true)
        const questions = parseRequest(asked)
        expect(questions).toHaveLength(1)
        expect(parseSubject(asked)?.input).toEqual(
          asked.kind === 'tool-approval' ? asked.action.input : undefined,
        )
        for (const outcome of endings(questions)) {
          const response = formatResult(outcome, asked)
          expect('cancelTurn' in response || isInputResponse(sent(response))).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('get the option that was picked, and are approved by nothing but a person', () => {
    fc.assert(
      fc.property(request, (generated) => {
        const asked = sent(generated)
        const questions = parseRequest(asked)
        for (const outcome of endings(questions)) {
          const response = formatResult(outcome, asked)
          const picked = Object.values(outcome.responses).flatMap((each) =>
            'selected' in each ? each.selected : [],
          )
          if (asked.kind === 'tool-approval')
            expect('optionId' in response && response.optionId === 'approve').toBe(picked[0] === 'allow-once')
          else if (picked.length > 0) expect(response).toMatchObject({ optionId: picked[0] })
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('our questions, written for eve', () => {
  const ids = { requestId: 'request', callId: 'call' }

  it('are requests that its schema accepts, and their answers come back', () => {
    const [question] = parseQuestions([
      { question: 'Where to?', options: [{ label: 'Paris, north', value: 'p' }, { label: 'Rome' }] },
    ])
    const asked = formatRequest([question as AskedQuestion], ids)
    expect(isInputRequest(sent(asked))).toBe(true)
    expect(parseRequest(asked)).toMatchObject([{ question: 'Where to?', options: [{ value: 'p' }, {}] }])
    const read = (response: object) =>
      parseAnswer([question as AskedQuestion], { requestId: 'request', ...response })
    expect(read({ optionId: 'p' })).toEqual({
      status: 'completed',
      responses: { q1: { selected: ['p'], source: 'human' } },
    })
    expect(read({ text: 'home' })).toMatchObject({ responses: { q1: { freeText: 'home' } } })
    for (const wrong of [{ optionId: 'q' }, { text: ' ' }, {}])
      expect(() => read(wrong)).toThrow(expect.objectContaining({ code: 'INVALID_ANSWERS' }))
  })

  it.each([
    [[{ question: 'Which?', options: [{ label: 'A' }], multiSelect: true }], 'a single choice'],
    [[{ question: 'A?' }, { question: 'B?' }], 'one question'],
  ])('are refused where eve cannot ask them', (questions, expected) => {
    expect(() => formatRequest(questions, ids)).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUESTIONS',
        faults: [expect.objectContaining({ expected: expect.stringContaining(expected) })],
      }),
    )
  })

  it('are answered by the two options of an approval, too', () => {
    const asked = {
      ...ids,
      kind: 'tool-approval',
      prompt: 'Deploy?',
      action: { kind: 'tool-call', callId: 'call', toolName: 'deploy', input: {} },
    }
    const questions = parseRequest(asked)
    const decided = (response: object) => parseAnswer(questions, { requestId: 'request', ...response })
    expect(decided({ optionId: 'approve' })).toMatchObject({
      responses: { permission: { selected: ['allow-once'] } },
    })
    expect(decided({ optionId: 'cancel', text: 'not now' })).toMatchObject({
      responses: { permission: { selected: ['deny'], notes: 'not now' } },
    })
  })
})
