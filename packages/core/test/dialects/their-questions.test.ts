import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as agentrail from '../../src/dialects/agentrail/index.ts'
import * as claude from '../../src/dialects/claude/index.ts'
import * as cognipeer from '../../src/dialects/cognipeer/index.ts'
import * as harness from '../../src/dialects/harness/index.ts'
import { text } from '../arbitraries.ts'
import { sent } from './pairs.ts'

const flag = fc.boolean()
const words = fc.string({ maxLength: 40 })
const manyOf = <T>(item: fc.Arbitrary<T>, least: number, most: number, ...keys: ((item: T) => unknown)[]) =>
  fc
    .array(item, { minLength: least, maxLength: most })
    .filter((items) => keys.every((key) => new Set(items.map(key)).size === items.length))

describe('questions that come from a system and go back', () => {
  it('as Claude’s lose nothing', () => {
    const option = fc.record(
      { label: text, description: words, preview: words },
      { requiredKeys: ['label', 'description'] },
    )
    const options = manyOf(option, 2, 4, ({ label }) => label)
    const question = fc.record({ question: text, header: words, options, multiSelect: flag })
    const request = fc.record({ questions: manyOf(question, 1, 4, (each) => each.question) })
    fc.assert(
      fc.property(request, (asked) => {
        expect(sent(claude.formatRequest(claude.parseRequest(sent(asked))))).toEqual(sent(asked))
      }),
    )
  })

  it('as AgentRail’s lose nothing', () => {
    const request = fc
      .record(
        { question: text, hint: words, options: manyOf(text, 1, 6, String), multiple: flag, custom: flag },
        { requiredKeys: ['question'] },
      )
      .filter(({ options, custom }) => options !== undefined || custom !== false)
    fc.assert(
      fc.property(request, (asked) => {
        expect(sent(agentrail.formatRequest(agentrail.parseRequest(sent(asked))))).toEqual(sent(asked))
      }),
    )
  })

  it('as Cognipeer’s lose nothing', () => {
    const option = fc.record(
      { label: text, value: text, description: words, preview: words },
      { requiredKeys: ['label'] },
    )
    const options = manyOf(
      option,
      2,
      12,
      ({ label }) => label,
      ({ label, value = label }) => value,
    )
    const question = fc.record(
      { question: text, header: words, options, multiSelect: flag, placeholder: words, required: flag },
      { requiredKeys: ['question', 'options'] },
    )
    fc.assert(
      fc.property(fc.record({ questions: manyOf(question, 1, 4) }), flag, (asked, allowFreeText) => {
        const questions = cognipeer.parseRequest(sent(asked), { allowFreeText })
        expect(sent(cognipeer.formatRequest(questions))).toEqual(sent(asked))
        expect(cognipeer.freeTextOf(questions)).toBe(allowFreeText)
      }),
    )
  })

  it('as the harness’ lose nothing, and say what is the default', () => {
    const option = fc.record(
      { id: text, label: text, description: words, preview: words },
      { requiredKeys: ['id', 'label'] },
    )
    const question = fc.record(
      {
        id: text,
        question: text,
        header: words,
        options: manyOf(
          option,
          1,
          8,
          ({ id }) => id,
          ({ label }) => label,
        ),
        allowMultiple: flag,
        allowFreeForm: flag,
      },
      { requiredKeys: ['id', 'question'] },
    )
    const request = fc.record({
      allowPartialAnswers: flag,
      questions: manyOf(question, 1, 6, ({ id }) => id),
    })
    fc.assert(
      fc.property(request, (asked) => {
        const questions = asked.questions.map(({ allowFreeForm = false, ...each }) => ({
          ...each,
          allowFreeForm: each.options ? allowFreeForm : true,
        }))
        const back = harness.formatRequest(harness.parseRequest(sent(asked)))
        expect(sent(back)).toEqual(sent({ ...asked, questions }))
      }),
    )
  })
})
