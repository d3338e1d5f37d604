import { stripVTControlCharacters } from 'node:util'

// Controls but for tab and line feed, format characters (bidi marks, zero-width ones, soft hyphens, tags), line and
// paragraph separators, lone surrogates. A joiner stays only where it joins two emoji to one.
const UNPRINTABLE =
  /(?![\t\n\u{200d}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?<!\p{Emoji}[\u{fe0f}\p{EMod}]?)\u{200d}|\u{200d}(?!\p{ExtPict})/gu

/** Text of others as it may stand in a terminal: nothing in it can draw over other text, hide, or turn it around. */
export const printable = (text: string): string => stripVTControlCharacters(text).replace(UNPRINTABLE, '')
