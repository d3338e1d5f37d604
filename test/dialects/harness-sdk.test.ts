import { harnessV1QuestionsToolInputSchema, harnessV1QuestionsToolOutputSchema } from '@ai-sdk/harness'
import type { Outcome, QuestionResponse } from '@sandagent/core'
import {
  formatRequest,
  formatResult,
  type HarnessRequest,
  parseAnswer,
  parseRequest,
} from '@sandagent/core/dialects/harness'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const words = fc.string()
const option = fc.record(
  {
    id: fc.constantFrom('a', 'b', '__proto__'),
    label: fc.constantFrom('A', 'B'),
    description: words,
    preview: words,
  },
  { requiredKeys: ['id', 'label'] },
)
const options = fc
  .uniqueArray(option, { selector: ({ id }) => id, minLength: 1, maxLength: 2 })
  .filter((list) => new Set(list.map(({ label }) => label)).size === list.length)
const question = fc.record(
  {
    id: fc.constantFrom('q1', 'q2', 'constructor'),
    question: fc.constantFrom('Which?', 'Which one?'),
    header: words,
    options,
    allowMultiple: fc.boolean(),
    allowFreeForm: fc.oneof(fc.boolean(), fc.constant({ secret: false })),
  },
  { requiredKeys: ['id', 'question'] },
)
const request: fc.Arbitrary<HarnessRequest> = fc.record({
  allowPartialAnswers: fc.boolean(),
  questions: fc.uniqueArray(question, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
})

it('writes inputs as the schema of the AI SDK’s harness has them, and reads every one of those', () => {
  fc.assert(
    fc.property(request, (asked) => {
      const input = harnessV1QuestionsToolInputSchema.parse(asked)
      const back = formatRequest(parseRequest(input))
      expect(harnessV1QuestionsToolInputSchema.parse(back)).toEqual(back)
    }),
  )
})

it('writes outputs as the schema of the AI SDK’s harness has them, however a question ended', () => {
  const kind = fc.constantFrom('answered', 'partial', 'declined', 'timed-out', 'aborted')
  const given = fc.constantFrom('first', 'typed', 'skipped', 'nothing')
  fc.assert(
    fc.property(request, kind, fc.array(given, { minLength: 3, maxLength: 3 }), (asked, ended, wishes) => {
      const questions = parseRequest(asked)
      const responses = questions.flatMap(
        ({ id, options: [first] = [] }, index): [string, QuestionResponse][] => {
          const wish = wishes[index]
          if (wish === 'nothing') return []
          if (wish === 'skipped') return [[id, { skipped: true }]]
          const selected = wish === 'first' && first?.value !== undefined ? [first.value] : []
          return [[id, { selected, ...(wish === 'typed' && { freeText: 'words' }), source: 'human' }]]
        },
      )
      const outcome: Outcome = {
        kind: ended,
        toolCallId: 'call_1',
        questions,
        answers: {},
        responses: Object.fromEntries(responses),
        unanswered: questions.flatMap(({ id }, index) =>
          ['skipped', 'nothing'].includes(wishes[index] ?? '') ? [id] : [],
        ),
        settledAt: '2026-01-01T00:00:00.000Z',
        elapsedMs: 1,
      }
      const output = formatResult(outcome)
      expect(JSON.stringify(harnessV1QuestionsToolOutputSchema.parse(output))).toBe(JSON.stringify(output))
      expect(parseAnswer(questions, output).status).toBe('answers' in output ? 'completed' : 'declined')
    }),
  )
})
