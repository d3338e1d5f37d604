import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable } from '../src/index.ts'

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
    ['C0 controls', 'a\u0000b\u0007c\rd\u0008e\u007f', 'abcde'],
    ['C1 controls', 'a\u009b31mb\u0085c', 'abc'],
    ['bidi controls', 'a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
    ['zero-width characters', 'a\u200bb\u200cc\u200dd\u2060e\ufefff', 'abcdef'],
    ['selectors that carry hidden text', `a${String.fromCodePoint(0xe0100, 0xe01ef)}b`, 'ab'],
    ['letters that show nothing', 'a\u3164b\u115fc\u1160d\uffa0e', 'abcde'],
    ['hidden tags', `a${String.fromCodePoint(0xe0041)}b`, 'ab'],
    ['line separators', 'a\u2028b\u2029c', 'abc'],
    ['lone surrogates', 'a\ud800b\udc00c', 'abc'],
  ])('removes %s', (_, text, expected) => {
    expect(printable(text)).toBe(expected)
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
