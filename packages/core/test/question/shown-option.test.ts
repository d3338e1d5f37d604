import { describe, expect, it } from 'vitest'
import { type QuestionOption, shownOption } from '../../src/internal.ts'

/** What the first of these options shows. */
const shown = (option: QuestionOption, ...others: QuestionOption[]) =>
  shownOption({ question: 'Which?', options: [option, ...others] }, option)

describe('shownOption', () => {
  it('turns an ending "(Recommended)" into a mark', () => {
    const expected = { label: 'Vitest', isRecommended: true, textFormat: 'markdown' }
    for (const label of ['Vitest (Recommended)', 'Vitest(recommended) ', 'Vitest **(Recommended)**'])
      expect(shown({ label })).toEqual(expected)
    expect(shown({ label: 'Vitest', recommended: true })).toEqual(expected)
    expect(shown({ label: 'Vitest (Recommended)', recommended: true })).toEqual(expected)
  })

  it('keeps every other label', () => {
    for (const label of ['(Recommended)', ' (recommended)', 'Vitest (recommended by Ada)', 'Recommended'])
      expect(shown({ label })).toMatchObject({ label, isRecommended: false })
    const label = 'Vitest (Recommended)'
    expect(shown({ label, recommended: false })).toMatchObject({ label, isRecommended: false })
  })

  it('finds the mark at the end of a long label', () => {
    const label = 'word '.repeat(20_000)
    expect(shown({ label: `${label}(Recommended)` })).toMatchObject({
      label: label.trimEnd(),
      isRecommended: true,
    })
  })

  it('shows labels as they are written where two would look the same', () => {
    const label = '**Red** (Recommended)'
    const expected = { label, isRecommended: false, textFormat: 'plain' }
    expect(shown({ label }, { label: 'Red (Recommended)' })).toEqual(expected)
    expect(shown({ label: '**Red**' }, { label: 'Red (Recommended)' })).toMatchObject({
      label: '**Red**',
      textFormat: 'markdown',
    })
  })

  it('writes out what cannot be seen where nothing else tells two labels apart', () => {
    expect(shown({ label: 'Red\u200b' }, { label: 'Red' }).label).toBe('Red<U+200B>')
    expect(shown({ label: 'Red\u200b' }, { label: 'Blue' }).label).toBe('Red\u200b')
  })
})
