import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatRequest, parseRequest } from '../../../src/dialects/acp/index.ts'
import { questionsWithin, sent } from '../pairs.ts'

it('a question becomes a field, and its options keep descriptions and previews', () => {
  const options = [{ label: 'Red', description: 'warm', preview: '# Red' }, { label: 'Blue' }]
  expect(formatRequest([{ question: 'Which?', options }], { sessionId: 's', toolCallId: 't' })).toEqual({
    sessionId: 's',
    toolCallId: 't',
    mode: 'form',
    message: 'Which?',
    requestedSchema: {
      type: 'object',
      required: [],
      properties: {
        question_1: {
          type: 'string',
          title: 'Which?',
          oneOf: [
            {
              const: 'Red',
              title: 'Red',
              description: 'warm',
              _meta: { '_claude/askUserQuestionOption': { preview: '# Red' } },
            },
            { const: 'Blue', title: 'Blue' },
          ],
        },
        question_1_custom: { type: 'string', title: 'Which?: in your own words' },
      },
    },
  })
})

it('options that go to a client of ACP and come back lose nothing but a recommendation', () => {
  const limits = { questions: 4, options: [1, 6] as const, needsOptions: true }
  fc.assert(
    fc.property(questionsWithin(limits), (questions) => {
      const back = parseRequest(sent(formatRequest(questions, { sessionId: 's' })))
      expect(back.map(({ options }) => options)).toEqual(
        questions.map(({ options = [] }) =>
          options.map(({ label, value = label, description, preview }) => ({
            label,
            value,
            ...(description?.trim() && { description }),
            ...(preview?.trim() && { preview }),
          })),
        ),
      )
    }),
  )
})
