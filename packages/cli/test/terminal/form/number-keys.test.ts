import type { Question } from '@sandagent/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openForm } from './open-form.ts'

/** The options that show a number: what stands behind it, by the number. */
const numbered = (lines: readonly string[]): Map<string, string> =>
  new Map(
    lines.flatMap((line) => {
      const [, number = '', label = ''] = /^(?:❯| ) (\d)\. (?:[●○]|\[[ x]\]) (.*)$/.exec(line) ?? []
      return number === '' ? [] : [[number, label] as const]
    }),
  )

describe('a number key', () => {
  it.each<[string, Omit<Question, 'id' | 'question'>, string]>([
    [
      'a number that stands until somebody answers',
      { typed: { kind: 'number', max: 10 }, defaultText: '7' },
      '1',
    ],
    ['words that stand until somebody answers', { defaultText: 'two' }, '3 servers'],
    ['a date', { typed: { kind: 'date' }, defaultText: '2026-01-01' }, '2026-12-24'],
    ['an answer in own words', {}, '3 servers'],
  ])('begins the answer where no option has a number: %s', (_, question, text) => {
    for (const isWalk of [false, true]) {
      const asked = [{ ...question, id: 'q', question: 'Which?' }]
      const form = openForm(asked, { view: { blocking: false }, isWalk })
      form.press(text)
      expect(form.session.getSnapshot().entered.q).toMatchObject({ freeText: text })
    }
  })

  it('is kept by an arrow key where it is part of no number', () => {
    const form = openForm([{ id: 'q', question: 'Which?', typed: { kind: 'number', min: 0 } }])
    form.press('20,5', 'up')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ freeText: '20,5' })
    form.press('backspace', 'backspace', 'up')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ freeText: '21' })
  })

  it('answers the option that shows the number, whatever the list, the filter, the page and the size', () => {
    const label = fc.tuple(fc.nat(30), fc.constantFrom('', 'a', 'bb', '1. c', '9. ○ d'))
    const asked = fc.record({
      labels: fc.uniqueArray(label, { minLength: 1, maxLength: 40, selector: ([number]) => number }),
      multiSelect: fc.boolean(),
      allowFreeText: fc.boolean(),
      isDescribed: fc.boolean(),
    })
    const moves = fc.array(
      fc.constantFrom(
        'down',
        'up',
        'pagedown',
        'pageup',
        'end',
        'home',
        'a',
        'b',
        'backspace',
        'escape',
        'n',
      ),
      { maxLength: 6 },
    )
    const size = fc.record({
      columns: fc.integer({ min: 40, max: 200 }),
      rows: fc.integer({ min: 8, max: 60 }),
    })
    fc.assert(
      fc.property(asked, moves, size, fc.nat(9), (question, keys, size, number) => {
        const options = question.labels.map(([count, text]) => ({
          label: `${text} (${count})`.trim(),
          ...(question.isDescribed && { description: 'a b c '.repeat(count) }),
        }))
        const form = openForm([{ ...question, id: 'q', question: 'Which?', options }], size)
        form.press(...keys)
        const shown = numbered(form.lines()).get(String(number))
        form.press(String(number))
        const response = form.session.getSnapshot().entered.q
        const selected = response && 'selected' in response ? response.selected : []
        expect(selected).toEqual(shown === undefined ? [] : [shown])
      }),
      { numRuns: 120 },
    )
  })

  it('is a part of the text where a text is typed, and no option shows one then', () => {
    const form = openForm([{ id: 'q', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }])
    form.press('down', 'down')
    expect(numbered(form.lines())).toEqual(new Map())
    form.press('2 of each')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ selected: [], freeText: '2 of each' })
  })

  it('is a part of the filter where one is typed, and no option shows one then', () => {
    const options = Array.from({ length: 12 }, (_, index) => ({ label: `v${index + 1}` }))
    const form = openForm([{ id: 'q', question: 'Which?', options }])
    form.press('v')
    expect(numbered(form.lines())).toEqual(new Map())
    expect(form.lines().join('\n')).not.toMatch(/\d pick/)
    form.press('12')
    expect(form.lines().join('\n')).toContain('Filter: v12  (1 of 12)')
    expect(form.sent()).toBeUndefined()
    form.press('return')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ selected: ['v12'] })
  })

  it('picks nothing out of a text that is pasted', () => {
    const form = openForm([{ id: 'q', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }])
    form.paste('1\n2')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ selected: [], freeText: '1\n2' })
    expect(form.lines().join('\n')).toMatch(/❯ Own answer: 1\n {14}2\n/)
  })
})
