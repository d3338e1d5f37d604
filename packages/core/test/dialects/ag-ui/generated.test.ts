import { InterruptSchema, ResumeEntrySchema } from '@ag-ui/core/schemas'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as agUi from '../../../src/dialects/ag-ui/index.ts'
import {
  type AskedQuestion,
  optionValue,
  parseQuestions,
  type QuestionResponse,
  validateResponses,
} from '../../../src/internal.ts'
import { answeredWithin, sent, submitted } from '../pairs.ts'

const words = fc.string({ maxLength: 20 })
const about = { title: words, description: words }
const optional = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] })
const texts = fc.array(words, { minLength: 1, maxLength: 4 })

/** Schemas of one field, of those that forms have and of all others. */
const field: fc.Arbitrary<unknown> = fc.oneof(
  optional({ type: fc.constant('string'), ...about, enum: texts, minLength: fc.nat(5), format: words }),
  optional({ type: fc.constant('string'), ...about, default: words, pattern: words }),
  optional({ type: fc.constantFrom('number', 'integer'), ...about, minimum: fc.nat(9) }),
  optional({ type: fc.constant('boolean'), ...about, default: fc.boolean() }),
  optional({
    type: fc.constant('array'),
    ...about,
    items: fc.oneof(fc.record({ enum: texts }), fc.object()),
  }),
  fc.record({ oneOf: fc.array(fc.record({ const: words, title: words }), { minLength: 1 }) }),
  fc.object({ withNullPrototype: false }),
  fc.boolean(),
)
const keys = fc.oneof(words, fc.constantFrom('approved', 'editedArgs', '__proto__', 'question_1'))
const schema = fc.oneof(
  optional({
    type: fc.constant('object'),
    properties: fc.dictionary(keys, field, { maxKeys: 5 }),
    required: fc.array(keys, { maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('object'),
    properties: optional({ approved: fc.record({ type: fc.constant('boolean') }), editedArgs: fc.object() }),
    required: fc.constant(['approved']),
  }),
  field.filter((value) => typeof value === 'object'),
)
const interrupts = fc
  .record(
    {
      id: words,
      reason: fc.oneof(words, fc.constantFrom('tool_call', 'input_required', 'confirmation', 'x:y')),
      message: words,
      toolCallId: words,
      responseSchema: schema,
      expiresAt: fc.oneof(words, fc.constant('2030-01-01T00:00:00Z')),
      metadata: fc.dictionary(
        fc.oneof(words, fc.constant('sandagent')),
        fc.oneof(fc.jsonValue(), fc.record({ questions: fc.jsonValue() })),
        { maxKeys: 3 },
      ),
    },
    { requiredKeys: ['id', 'reason'] },
  )
  .map(sent)

/** An answer that a page would take: the first option, or a number, which is a text too. */
const answerTo = ({ options = [] }: AskedQuestion): QuestionResponse => {
  const [first] = options
  return first
    ? { selected: [optionValue(first)], source: 'human' }
    : { selected: [], freeText: '12345', source: 'human' }
}

it('every interrupt that the schema of AG-UI takes can be asked, and its answer is one that the schema takes', () => {
  let resolved = 0
  fc.assert(
    fc.property(interrupts, fc.boolean(), (interrupt, isCallKnown) => {
      InterruptSchema.parse(interrupt)
      const call = isCallKnown ? { toolName: 'tool', input: { a: 1 } } : undefined
      const { questions } = agUi.parseInterrupt(interrupt, call)
      const responses = Object.fromEntries(questions.map((question) => [question.id, answerTo(question)]))
      expect(validateResponses(questions, responses, { final: true })).toEqual([])
      const entry = agUi.formatResult(submitted(questions, responses), interrupt)
      if ('faults' in entry) {
        // A limit of the schema, which the person reads when they are asked again.
        expect(agUi.faultyQuestions(interrupt, questions, entry.faults).length).toBeGreaterThan(0)
        return
      }
      expect(ResumeEntrySchema.parse(entry)).toEqual(entry)
      if (entry.status === 'resolved') resolved++
    }),
    { numRuns: 1000 },
  )
  expect(resolved).toBeGreaterThan(700)
})

it('our questions come back whole from the interrupts that we write, and their answers too', () => {
  fc.assert(
    fc.property(answeredWithin({ questions: 4, options: [1, 6] }), ({ questions, responses }) => {
      const written = sent(agUi.formatRequest(questions, { id: 'i1', toolCallId: 'c1' }))
      InterruptSchema.parse(written)
      expect(agUi.parseRequest(written)).toEqual(parseQuestions(sent(questions)))
      const entry = agUi.formatResult(submitted(questions, responses), written)
      if ('faults' in entry) return
      ResumeEntrySchema.parse(entry)
      if (entry.status === 'resolved') agUi.parseAnswer(questions, sent(entry))
    }),
    { numRuns: 300 },
  )
})
