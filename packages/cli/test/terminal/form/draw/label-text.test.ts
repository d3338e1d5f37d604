import type { Question } from '@sandagent/core'
import { ALIKE_LABELS, LABEL_SIGNS, NAME_LABELS, READ_LABELS } from '@sandagent/fixtures/labels.ts'
import fc from 'fast-check'

import { describe, expect, it } from 'vitest'
import { labelText } from '../../../../src/terminal/form/draw/markdown.ts'

/** The labels of a question, in one line each. */
function shown(labels: readonly string[]): string[] {
  const question: Question = { question: 'Which?', options: labels.map((label) => ({ label })) }
  return labels.map((label) => inLine(labelText(question, { label }, [])))
}

const inLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

// The terminal and the page have the same test: they read labels by one reader.
describe('the labels of options', () => {
  it.each(NAME_LABELS)('keep the signs of names: %s', (label) => {
    expect(shown([label])).toEqual([label])
  })

  it.each(READ_LABELS)('are read as Markdown otherwise: %s', (label, text) => {
    expect(shown([label])).toEqual([text])
  })

  it.each(ALIKE_LABELS.map((labels) => [labels]))(
    'stay as they are written where two would look the same: %j',
    (labels) => {
      expect(shown(labels)).toEqual(labels)
    },
  )

  it('show what cannot be seen where nothing else tells two of them apart', () => {
    expect(shown(['Red', 'Red\u200b'])).toEqual(['Red', 'Red<U+200B>'])
  })

  it('never look the same', () => {
    const label = fc
      .array(fc.constantFrom(...LABEL_SIGNS), { minLength: 1, maxLength: 5 })
      .map((signs) => `x${signs.join('')}`)
    fc.assert(
      fc.property(fc.uniqueArray(label, { minLength: 2, maxLength: 4, selector: inLine }), (labels) => {
        expect(new Set(shown(labels)).size).toBe(labels.length)
      }),
      { numRuns: 300 },
    )
  })
})
