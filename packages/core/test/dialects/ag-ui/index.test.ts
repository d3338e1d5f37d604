import { InterruptSchema, ResumeEntrySchema } from '@ag-ui/core/schemas'
import { describe, expect, it } from 'vitest'
import * as agUi from '../../../src/dialects/ag-ui/index.ts'
import { type Outcome, parseQuestions, type QuestionResponse, type Responses } from '../../../src/internal.ts'
import { submitted } from '../pairs.ts'

const given = (...selected: string[]): QuestionResponse => ({ selected, source: 'human' })
const typed = (freeText: string): QuestionResponse => ({ selected: [], freeText, source: 'human' })

const interrupt = (more: object) => ({ id: 'i1', reason: 'input_required', message: 'Go on?', ...more })

/** What an agent reads when a person has answered the first questions of an interrupt so. */
function answered(asked: object, ...responses: QuestionResponse[]): unknown {
  const questions = agUi.parseRequest(asked)
  const all: Responses = Object.fromEntries(responses.map((one, index) => [questions[index]?.id ?? '', one]))
  return agUi.formatResult(submitted(questions, all), asked)
}

const resolved = (payload: unknown) => ({ interruptId: 'i1', status: 'resolved', payload })

describe('an interrupt without a schema', () => {
  it('is answered in words', () => {
    expect(answered(interrupt({ reason: 'mine:ask' }), typed('yes, on Monday'))).toEqual(
      resolved('yes, on Monday'),
    )
  })

  it('is a yes or no if it asks for a confirmation', () => {
    const asked = interrupt({ reason: 'confirmation' })
    expect(agUi.parseRequest(asked)).toMatchObject([
      { question: 'Go on?', options: [{ value: 'true' }, { value: 'false' }] },
    ])
    expect(answered(asked, given('false'))).toEqual(resolved(false))
  })

  it('without a message shows what the agent says of itself, and no more than that', () => {
    const [question] = agUi.parseRequest({
      id: 'i1',
      reason: 'x:y',
      metadata: { raw: { '```': '# No heading' } },
    })
    expect(question?.question).toBe(
      'x:y\n\n    {\n      "raw": {\n        "```": "# No heading"\n      }\n    }',
    )
  })
})

describe('the schema of an answer', () => {
  const schema = {
    type: 'object',
    properties: {
      quarter: { type: 'string', enum: ['Q1', 'Q2'] },
      year: { type: 'integer', minimum: 2000 },
      parts: { type: 'array', items: { type: 'string' } },
    },
    required: ['quarter', 'year'],
  }

  it('is a form, and what no form can ask is typed as JSON', () => {
    const asked = interrupt({ responseSchema: schema })
    expect(agUi.parseRequest(asked).map(({ id }) => id)).toEqual(['quarter', 'year', 'parts'])
    expect(answered(asked, given('Q1'), typed('2026'), typed('["a","b"]'))).toEqual(
      resolved({ quarter: 'Q1', year: 2026, parts: ['a', 'b'] }),
    )
  })

  it('of a single value is one question, and the payload is the value', () => {
    const asked = interrupt({ responseSchema: { type: 'array', items: { enum: ['a, b', 'c'] } } })
    expect(answered(asked, given('a, b', 'c'))).toEqual(resolved(['a, b', 'c']))
  })

  it('that needs what no field has is typed as a whole', () => {
    const asked = interrupt({ responseSchema: { type: 'object', required: ['code'], properties: {} } })
    expect(agUi.parseRequest(asked)).toHaveLength(1)
    expect(answered(asked, typed('{"code": 7}'))).toEqual(resolved({ code: 7 }))
  })

  it('names answers that do not fit, and the questions to ask again', () => {
    const asked = interrupt({ responseSchema: schema })
    const result = answered(asked, given('Q1'), typed('last year'))
    expect(result).toMatchObject({ faults: [{ path: 'content.year' }] })
    const { faults } = result as { faults: { path: string; expected: string }[] }
    const again = agUi.faultyQuestions(asked, agUi.parseRequest(asked), faults)
    expect(again).toMatchObject([
      { id: 'year', question: expect.stringContaining('Expected: a whole number') },
    ])
  })
})

describe('an interrupt about a tool call', () => {
  const call = { toolName: 'send_mail', input: { to: 'a@b.example' } }
  const properties = { approved: { type: 'boolean' }, editedArgs: { type: 'object', properties: { to: {} } } }
  const asked = {
    id: 'i1',
    reason: 'tool_call',
    message: 'The customer waits.',
    toolCallId: 'c1',
    responseSchema: { type: 'object', properties, required: ['approved'] },
  }
  const outcome = (response: QuestionResponse): Outcome =>
    submitted(agUi.parseInterrupt(asked, call).questions, { permission: response })

  it('is an approval of the call; what the agent says of it is a reason', () => {
    expect(agUi.parseInterrupt(asked, call)).toEqual({
      kind: 'approval',
      questions: [expect.objectContaining({ id: 'permission' })],
      subject: {
        ...call,
        reasons: [{ by: 'agent', text: 'The customer waits.' }],
        editable: true,
        schema: properties.editedArgs,
      },
    })
  })

  it('is allowed, allowed with an edit, or denied', () => {
    expect(agUi.formatResult(outcome(given('allow-once')), asked)).toEqual(resolved({ approved: true }))
    const edited = { ...given('allow-once'), input: { to: 'c@d.example' } } as QuestionResponse
    expect(agUi.formatResult(outcome(edited), asked)).toEqual(
      resolved({ approved: true, editedArgs: { to: 'c@d.example' } }),
    )
    const denied = { ...given('deny'), notes: 'not him' } as QuestionResponse
    expect(agUi.formatResult(outcome(denied), asked)).toEqual({
      ...resolved({ approved: false }),
      metadata: { sandagent: { note: 'not him' } },
    })
  })

  it('is never allowed by a default, a time-out, or words', () => {
    const byDefault = { selected: ['allow-once'], source: 'default' } as QuestionResponse
    for (const nobody of [
      outcome(byDefault),
      { ...outcome(given('allow-once')), kind: 'timed-out' as const },
      outcome(typed('allow-once')),
    ])
      expect(agUi.formatResult(nobody, asked)).toMatchObject({ status: 'cancelled' })
  })

  it('whose call nobody told shows all that the agent says', () => {
    const { kind, questions } = agUi.parseInterrupt({ ...asked, metadata: { args: 'rm -rf' } })
    expect(kind).toBe('question')
    expect(questions[0]?.question).toBe('The customer waits.\n\n    {\n      "args": "rm -rf"\n    }')
    expect(agUi.formatResult(submitted(questions, { permission: given('allow-once') }), asked)).toEqual(
      resolved({ approved: true }),
    )
  })

  it('that needs more than a decision is a form', () => {
    const more = { ...properties, fingerprint: { type: 'string' } }
    const required = ['approved', 'fingerprint']
    const form = { ...asked, responseSchema: { type: 'object', properties: more, required } }
    expect(agUi.parseInterrupt(form, call).kind).toBe('question')
  })
})

describe('our questions as an interrupt', () => {
  const questions = parseQuestions([
    {
      id: 'where',
      question: 'Where to?',
      options: [{ label: 'Map', preview: '# A map' }, { label: 'List' }],
    },
    { id: 'when', question: 'When?', required: false },
  ])
  const written = agUi.formatRequest(questions, {
    id: 'i1',
    toolCallId: 'c1',
    deadline: '2030-01-01T00:00:00Z',
  })

  it('have a form, a deadline, and the questions as they are', () => {
    expect(InterruptSchema.parse(written)).toEqual(written)
    expect(written).toMatchObject({
      reason: 'input_required',
      toolCallId: 'c1',
      expiresAt: '2030-01-01T00:00:00Z',
      responseSchema: { properties: { question_1: {}, question_1_custom: {}, question_2: {} } },
    })
    expect(agUi.parseRequest(written)).toEqual(questions)
  })

  it('take the answer of a client, and give the same to an agent of ours', () => {
    const payload = { question_1: 'Map', question_1_custom: 'the big one', question_2: 'soon' }
    const answer = agUi.parseAnswer(questions, resolved(payload))
    const responses = { where: { ...given('Map'), notes: 'the big one' }, when: typed('soon') }
    expect(answer).toEqual({ status: 'completed', responses })
    const entry = agUi.formatResult(submitted(questions, responses as Responses), written)
    expect(entry).toEqual(resolved(payload))
    expect(ResumeEntrySchema.parse(entry)).toEqual(entry)
  })

  it('are declined by `cancelled`, with a reason if there is one', () => {
    const cancelled = { interruptId: 'i1', status: 'cancelled' }
    expect(agUi.parseAnswer(questions, cancelled)).toEqual({ status: 'declined' })
    const metadata = { sandagent: { reason: 'not now' } }
    expect(agUi.parseAnswer(questions, { ...cancelled, metadata })).toEqual({
      status: 'declined',
      reason: 'not now',
    })
    const declined = { ...submitted(questions, {}), kind: 'declined' as const, reason: 'not now' }
    expect(agUi.formatResult(declined, written)).toEqual({ ...cancelled, metadata })
  })

  it('of an approval take `approved` and nothing that looks like it', () => {
    const approval = parseQuestions([{ id: 'permission', question: 'May it?' }])
    const read = (payload: unknown) => agUi.parseAnswer(approval, resolved(payload), { kind: 'approval' })
    expect(read({ approved: true, editedArgs: { a: 1 } })).toEqual({
      status: 'completed',
      responses: { permission: { ...given('allow-once'), input: { a: 1 } } },
    })
    expect(read({ approved: false, editedArgs: { a: 1 } })).toEqual({
      status: 'completed',
      responses: { permission: given('deny') },
    })
    for (const payload of [true, 'true', { approved: 'true' }, { approved: 1 }, {}, null, [true]])
      expect(() => read(payload)).toThrow('payload.approved')
  })
})
