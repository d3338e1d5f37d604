import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRequest, formatResult, parseAnswer, parseRequest } from '../../../src/dialects/mcp/index.ts'
import {
  type AskedQuestion,
  isAnswer,
  isRequired,
  parseQuestions,
  type QuestionResponse,
  type Responses,
} from '../../../src/internal.ts'
import {
  answeredWithin,
  asByHuman,
  kept,
  type Limits,
  plain,
  questionsWithin,
  sent,
  submitted,
  withoutNotes,
} from '../pairs.ts'

const [colour, parts, name] = parseQuestions([
  {
    question: 'Which colour?',
    header: 'Colour',
    options: [{ label: 'Red', value: 'r', description: 'warm' }, { label: 'Blue' }],
    placeholder: 'Another one',
  },
  {
    question: 'Which parts?',
    options: [{ label: 'Roof' }, { label: 'Door' }],
    multiSelect: true,
    allowFreeText: false,
  },
  { question: 'Your name?', required: false },
]) as [AskedQuestion, AskedQuestion, AskedQuestion]
const all = [colour, parts, name]
const human = { source: 'human' } as const

describe('formatRequest', () => {
  it('writes a choice, several choices and a typed answer as fields', () => {
    expect(formatRequest(all)).toEqual({
      mode: 'form',
      message: 'There are 3 questions for you.',
      requestedSchema: {
        type: 'object',
        properties: {
          question_1: {
            type: 'string',
            title: 'Colour',
            description: 'Which colour?\n- Red: warm',
            oneOf: [
              { const: 'r', title: 'Red' },
              { const: 'Blue', title: 'Blue' },
            ],
          },
          question_1_custom: {
            type: 'string',
            title: 'Colour: in your own words',
            description: 'Another one',
          },
          question_2: {
            type: 'array',
            title: 'Which parts?',
            items: {
              anyOf: [
                { const: 'Roof', title: 'Roof' },
                { const: 'Door', title: 'Door' },
              ],
            },
            minItems: 1,
          },
          question_3: { type: 'string', title: 'Your name?' },
        },
        required: ['question_2'],
      },
    })
  })

  it('puts the one question into the message', () => {
    expect(formatRequest([name]).message).toBe('Your name?')
  })
})

describe('parseAnswer', () => {
  const accept = (content: object) => parseAnswer(all, { action: 'accept', content })

  it('reads what was picked, what was typed, and what was passed over', () => {
    expect(accept({ question_1: 'r', question_2: ['Door'], question_3: 'Zoë' })).toEqual({
      status: 'completed',
      responses: {
        [colour.id]: { selected: ['r'], ...human },
        [parts.id]: { selected: ['Door'], ...human },
        [name.id]: { selected: [], freeText: 'Zoë', ...human },
      },
    })
    expect(accept({ question_2: ['Roof'] })).toMatchObject({
      responses: { [colour.id]: { skipped: true }, [parts.id]: { selected: ['Roof'] } },
    })
  })

  it('takes own words as the answer, or as a note beside a choice', () => {
    expect(accept({ question_1_custom: 'green', question_2: ['Roof'] })).toMatchObject({
      responses: { [colour.id]: { selected: [], freeText: 'green' } },
    })
    expect(accept({ question_1: 'Blue', question_1_custom: 'dark', question_2: ['Roof'] })).toMatchObject({
      responses: { [colour.id]: { selected: ['Blue'], notes: 'dark' } },
    })
  })

  it('counts the empty texts that some clients send as no answer', () => {
    const empty = { question_1: '', question_1_custom: ' ', question_2: ['Roof'], question_3: '' }
    expect(accept(empty)).toEqual(accept({ question_2: ['Roof'] }))
  })

  it('takes the empty text for an option whose value it is', () => {
    const options = [{ label: 'None', value: '' }, { label: 'Some' }]
    const [asked] = parseQuestions([{ question: 'How many?', options }])
    expect(
      parseAnswer([asked as AskedQuestion], { action: 'accept', content: { question_1: '' } }),
    ).toMatchObject({ responses: { q1: { selected: [''] } } })
  })

  it('takes a form that comes back empty for no answer and no refusal, where one is required', () => {
    for (const content of [{}, { question_1: '' }, null])
      expect(() => parseAnswer([colour], { action: 'accept', content })).toThrow(
        expect.objectContaining({ faults: [{ path: 'content.question_1', expected: 'an answer' }] }),
      )
    expect(() => accept({ question_1: 'r' })).toThrow('content.question_2: expected an answer')
    expect(parseAnswer([name], { action: 'accept', content: {} })).toEqual({
      status: 'completed',
      responses: {},
    })
  })

  it('reads numbers where the client has no field for several choices', () => {
    const options = { lists: false }
    const { properties } = formatRequest([parts], options).requestedSchema
    expect(properties).toEqual({
      question_1: {
        type: 'string',
        title: 'Which parts?',
        description: 'Which parts?\n1. Roof\n2. Door\nType the numbers of all that you pick, such as: 1, 3',
      },
    })
    const typed = (text: string) =>
      parseAnswer([parts], { action: 'accept', content: { question_1: text } }, options)
    for (const text of ['1, 2', ' 2 1', '1;2', '1,2,'])
      expect(typed(text)?.status === 'completed' && typed(text)).toMatchObject({
        responses: { [parts.id]: { selected: expect.arrayContaining(['Roof', 'Door']) } },
      })
    for (const text of ['3', 'roof', '0']) expect(() => typed(text)).toThrow('expected one of')
  })

  it('refuses a number that does not fit', () => {
    const asked = parseQuestions([{ question: 'How many?', typed: { kind: 'number', min: 1, max: 9 } }])
    const accept = (text: string) => parseAnswer(asked, { action: 'accept', content: { question_1: text } })
    expect(accept('9')).toMatchObject({ responses: { q1: { freeText: '9' } } })
    expect(() => accept('10')).toThrow('responses.q1.freeText: expected a number, at least 1 and at most 9')
  })

  it('keeps decline and cancel apart', () => {
    expect(parseAnswer(all, { action: 'decline' })).toEqual({ status: 'declined' })
    expect(parseAnswer(all, { action: 'cancel' })).toBeNull()
  })

  it.each([
    [{ action: 'accept', content: { question_1: 'green', question_2: ['Roof'] } }, 'responses.q1.selected.0'],
    [{ action: 'accept', content: { question_2: ['Roof', 'Roof'] } }, 'responses.q2.selected'],
    [{ action: 'accept', content: { question_2: 3 } }, 'content.question_2'],
    [{ action: 'accept', content: 'Red' }, 'content'],
    [{ action: 'maybe' }, 'action'],
    ['accept', ''],
  ])('refuses %j and says where it is wrong', (result, path) => {
    expect(() => parseAnswer(all, result)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ANSWERS',
        faults: expect.arrayContaining([expect.objectContaining({ path })]),
      }),
    )
  })
})

const LIMITS: Limits = { questions: 6, options: [1, 8] }

/** Whether the form has a field for own words beside the choice. */
const hasCustom = ({ options, allowFreeText = true }: AskedQuestion): boolean =>
  options !== undefined && allowFreeText

describe('questions that go to a form of MCP and come back', () => {
  it('lose previews, defaults, placeholders of typed questions, headers that the text begins with, and that an answer is needed where it may be typed; descriptions of options are in the text', () => {
    fc.assert(
      fc.property(questionsWithin(LIMITS), (questions) => {
        const back = parseRequest(sent(formatRequest(questions)))
        const shape = (question: AskedQuestion): unknown => {
          const { id, ...rest } = kept(
            question,
            ['allowFreeText', ...(question.options ? (['multiSelect'] as const) : [])],
            ['value'],
          )
          const placeholder = hasCustom(question) && question.placeholder?.trim() && question.placeholder
          return plain({
            ...rest,
            id: '',
            question: '',
            required: isRequired(question) && !hasCustom(question),
            ...(placeholder && { placeholder }),
          })
        }
        expect(back.map(shape)).toEqual(questions.map(shape))
        for (const [index, { question, header, defaultOption }] of back.entries()) {
          expect(defaultOption).toBeUndefined()
          const asked = questions[index] as AskedQuestion
          expect(question).toContain(asked.question.trim())
          for (const { description = '' } of asked.options ?? [])
            expect(question).toContain(description.trim())
          if (asked.header?.trim() && !asked.question.trim().startsWith(asked.header.trim()))
            expect([header, asked.question, asked.question.trim()]).toContain(asked.header)
        }
      }),
    )
  })
})

describe('responses that go to a form of MCP and come back', () => {
  it('lose that a default stood in, notes, except beside a single choice that may be typed, and a skip where nothing is needed', () => {
    fc.assert(
      fc.property(answeredWithin(LIMITS), ({ questions, responses }) => {
        const params = formatRequest(questions)
        const shown = parseRequest(params)
        const outcome = submitted(shown, byPosition(questions, shown, responses))
        fc.pre(Object.keys(outcome.responses).length > 0)
        const result = formatResult(outcome, params)
        const missing = questions.some(
          (each) => isRequired(each) && !hasCustom(each) && !isAnswer(responses[each.id]),
        )
        expect('faults' in result).toBe(missing)
        if ('faults' in result) return
        if (!questions.some((each) => isAnswer(responses[each.id]))) {
          expect(result).toEqual({ action: 'decline' })
          return
        }
        const back = questions.flatMap((question): [string, QuestionResponse][] => {
          const response = responses[question.id]
          if (!isAnswer(response)) return isRequired(question) ? [[question.id, { skipped: true }]] : []
          const isNoteKept = hasCustom(question) && !question.multiSelect && response.selected.length > 0
          return [[question.id, asByHuman(isNoteKept ? response : withoutNotes(response))]]
        })
        expect(parseAnswer(questions, sent(result))).toEqual({
          status: 'completed',
          responses: Object.fromEntries(back),
        })
      }),
    )
  })
})

/** The responses to the same questions under other ids. */
const byPosition = (from: AskedQuestion[], to: AskedQuestion[], responses: Responses): Responses =>
  Object.fromEntries(
    from.flatMap(({ id }, index): [string, QuestionResponse][] => {
      const response = responses[id]
      return response ? [[to[index]?.id as string, response]] : []
    }),
  )
