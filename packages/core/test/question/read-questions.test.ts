import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuestions, readQuestions } from '../../src/internal.ts'
import { sketch, takenBy } from '../sketches.ts'

const OPTION = {
  label: 'text',
  value: 'text',
  description: 'text',
  preview: 'text',
  recommended: 'flag',
} as const
const QUESTION = {
  id: 'text',
  question: 'text',
  header: 'text',
  textFormat: 'format',
  options: [OPTION],
  multiSelect: 'flag',
  allowFreeText: 'flag',
  placeholder: 'text',
  required: 'flag',
} as const

describe('readQuestions', () => {
  it('shows what has streamed in so far, and leaves out the rest', () => {
    expect(readQuestions(undefined)).toEqual([])
    expect(readQuestions({ questions: 'Wh' })).toEqual([])
    expect(
      readQuestions({
        questions: [
          {
            question: 'Which?',
            header: 7,
            multiSelect: true,
            options: [{ label: 'A' }, {}, { label: '' }, 'B'],
          },
          { question: '  ' },
          null,
        ],
      }),
    ).toEqual([{ id: 'q1', question: 'Which?', multiSelect: true, options: [{ label: 'A' }] }])
  })

  it('reads all that can be asked as the strict parser does', () => {
    fc.assert(
      fc.property(fc.array(sketch(QUESTION), { minLength: 1, maxLength: 3 }), (list) => {
        const asked = takenBy(parseQuestions, list)
        fc.pre(asked !== null)
        expect(readQuestions({ questions: list })).toEqual(asked)
      }),
    )
  })
})
