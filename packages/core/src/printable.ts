/** What terminals obey: CSI, OSC and other strings with their end, other escapes. Unended strings lose their beginning. */
const SEQUENCES = [
  '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
  '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u0018\\u001a\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)',
  '\\u001b[ -/]*[0-~]',
]
const SEQUENCE = new RegExp(SEQUENCES.join('|'), 'g')

// Controls but for tab and line feed, format characters (bidi marks, zero-width ones, soft hyphens, tags), line and
// paragraph separators, lone surrogates, the selectors of variants that can carry hidden text, and letters that show
// nothing. A joiner stays only where it joins two emoji to one.
const UNPRINTABLE =
  /(?![\t\n\u{200d}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]|[\u{e0100}-\u{e01ef}]|(?<!\p{Emoji}[\u{fe0f}\p{EMod}]?)\u{200d}|\u{200d}(?!\p{ExtPict})/gu

/** Text of others as it may stand in a terminal: nothing in it can draw over other text, hide, or turn it around. */
export const printable = (text: string): string => text.replace(SEQUENCE, '').replace(UNPRINTABLE, '')
