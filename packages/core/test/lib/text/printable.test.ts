import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableLine, visible, withLineBreaks } from '../../../src/internal.ts'

describe('printable', () => {
  it('keeps what people write', () => {
    const text = 'Grüße, 你好, שלום, مرحبا:\n\t"quoted" – e\u0301 👍🏽 👨‍👩‍👧 🏳️‍🌈'
    expect(printable(text)).toBe(text)
  })

  it.each([
    ['colours and cursor movements', '\u001b[31mred\u001b[0m\u001b[2J\u001b[1;1H', 'red'],
    ['window titles', '\u001b]0;title\u0007text', 'text'],
    ['window titles with another end', '\u001b]0;title\u001b\\text\u009d0;title\u009ctext', 'texttext'],
    ['device strings', '\u001bP1$r0m\u001b\\a\u0090x\u009cb\u001b_x\u001b\\c', 'abc'],
    ['other escapes', 'a\u001bcb\u001b(0c\u001b7d', 'abcd'],
    ['links', '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007', 'click'],
    ['C0 controls', 'a\u0000b\u0007cd\u0008e\u007f', 'abcde'],
    ['C1 controls', 'a\u009b31mb\u0086c', 'abc'],
    ['bidi controls', 'a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
    ['zero-width characters', 'a\u200bb\u200cc\u200dd\u2060e\ufefff', 'abcdef'],
    ['selectors that carry hidden text', `a${String.fromCodePoint(0xe0100, 0xe01ef)}b`, 'ab'],
    ['letters that show nothing', 'a\u3164b\u115fc\u1160d\uffa0e', 'abcde'],
    ['hidden tags', `a${String.fromCodePoint(0xe0041)}b`, 'ab'],
    ['lone surrogates', 'a\ud800b\udc00c', 'abc'],
  ])('removes %s', (_, text, expected) => {
    expect(printable(text)).toBe(expected)
  })

  it('keeps lines apart, whatever ends them', () => {
    for (const end of ['\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']) {
      expect(printable(`cd /srv/app${end}rm -rf build`)).toBe('cd /srv/app\nrm -rf build')
      expect(printableLine(`cd /srv/app${end}rm -rf build`)).toBe('cd /srv/app rm -rf build')
      expect(withLineBreaks(`a${end}${end}b`)).toBe('a\n\nb')
    }
  })

  it('never lets a control character through, also when removing one uncovers another', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom('\u001b', '[', '\u009b', '31m', '\u202e', '\u200b'),
    )
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(printable(text)).not.toMatch(/(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b]/u)
      }),
    )
  })
})

describe('long hostile text', () => {
  // Two million characters: work that grew with the square of the length would take hours.
  it.each([
    ['beginnings of strings that have no end', '\u009d'],
    ['beginnings by escapes', '\u001b]'],
    ['beginnings between breaks', '\u009d\u001b'],
    ['unended control sequences', '\u009b0;'],
    ['joiners', '\u200d'],
    ['selectors', '\u{e0100}'],
  ])('of %s is cleaned in linear time', (_, unit) => {
    const text = unit.repeat(2_000_000 / unit.length)
    expect(printable(text).length).toBeLessThan(text.length)
    expect(visible(text)).toContain('<U+')
  })
})

describe('printableLine', () => {
  it('is one line', () => {
    expect(printableLine('a\nb\r\nc\td\u2028e\u001b[2Jf')).toBe('a b c d ef')
  })

  it('is cut before it is looked at', () => {
    expect(printableLine('x'.repeat(5000))).toBe(`${'x'.repeat(2000)}…`)
    expect(printableLine('x'.repeat(2000))).toBe('x'.repeat(2000))
    expect(printableLine('abcd', 3)).toBe('abc…')
  })
})

describe('visible', () => {
  it.each([
    ['a Hangul filler', '\u3164', '<U+3164>'],
    ['the jamo fillers', '\u115f\u1160', '<U+115F><U+1160>'],
    ['a half-width filler', '\uffa0', '<U+FFA0>'],
    ['a blank Braille pattern', '\u2800', '<U+2800>'],
    ['a grapheme joiner', '\u034f', '<U+034F>'],
    ['inherent vowels', '\u17b4\u17b5', '<U+17B4><U+17B5>'],
    ['variation selectors', '\ufe00\ufe0f\u{e0100}\u{e01ef}', '<U+FE00><U+FE0F><U+E0100><U+E01EF>'],
    ['Mongolian selectors', '\u180b\u180e', '<U+180B><U+180E>'],
    ['tags', '\u{e0041}', '<U+E0041>'],
    ['a null notehead', '\u{1d159}', '<U+1D159>'],
    ['bidi controls', '\u202e\u2066', '<U+202E><U+2066>'],
    ['zero-width characters', '\u200b\u200d\ufeff', '<U+200B><U+200D><U+FEFF>'],
    ['escapes', '\u001b[2J\r', '<U+001B>[2J<U+000D>'],
    ['spaces that programs take for no space', 'rm\u00a0-rf\u3000/', 'rm<U+00A0>-rf<U+3000>/'],
    ['lone surrogates', '\ud800', '<U+D800>'],
    ['unassigned characters', '\u{e0fff}', '<U+E0FFF>'],
  ])('writes out %s', (_, text, written) => {
    expect(visible(text)).toBe(written)
  })

  it('keeps what can be seen', () => {
    const text = 'grep -r "Grüße 你好 שלום 👍🏽" . |\n\tsort'
    expect(visible(text)).toBe(text)
  })
})
