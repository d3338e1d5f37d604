import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LineChange, lineChanges } from '../../src/permission/line-changes.ts'

const signs = { same: ' ', removed: '-', added: '+' }
const drawn = (before: string | null, after: string): string[] =>
  lineChanges(before, after).map(({ kind, line }) => signs[kind] + line)

const without = (kind: LineChange['kind'], changes: readonly LineChange[]): string =>
  changes.flatMap((change) => (change.kind === kind ? [] : [change.line])).join('\n')

describe('the lines that change', () => {
  it('stand between those that stay', () => {
    expect(drawn('a\nb\nc\nd\ne', 'a\nx\nc\ne\nf')).toEqual([' a', '-b', '+x', ' c', '-d', ' e', '+f'])
  })

  it('are all lines where there was no text', () => {
    expect(drawn(null, 'a\nb')).toEqual(['+a', '+b'])
  })

  it('tell a line break at the end, and a line that is blank', () => {
    expect(drawn('a', 'a\n')).toEqual([' a', '+'])
    expect(drawn('a\n\nb', 'a\nb')).toEqual([' a', '-', ' b'])
  })

  it('make both texts again, whatever is in them', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', ' a', '\u202e', 'a\r'))
      .map((it) => it.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = lineChanges(before, after)
        expect(without('added', changes)).toBe(before)
        expect(without('removed', changes)).toBe(after)
      }),
    )
  })

  it('are few where few lines change', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`)
    const changed = lines.with(100, 'other').toSpliced(15_000, 3)
    expect(
      lineChanges(lines.join('\n'), changed.join('\n')).filter(({ kind }) => kind !== 'same'),
    ).toHaveLength(5)
  })

  it('are all of them, at once, where two long texts have nothing in common', () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join('\n')
    expect(lineChanges(text('a'), text('b'))).toHaveLength(40_000)
  })
})
