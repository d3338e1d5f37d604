import { withLineBreaks } from './line-breaks.ts'

/** What begins a string that terminals obey: OSC, DCS, SOS, PM, APC, and two C1 controls that some treat alike. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const STRING_START = /\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f]/g
/** What such a string cannot hold. BEL and ST end it, the others break it off. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const STRING_STOP = /[\u0007\u0018\u001a\u009c]|\u001b\\?/g
const STRING_ENDS = ['\u0007', '\u009c', '\u001b\\']

/** Other sequences that terminals obey: CSI with its parameters, and short escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g

/** Characters with no looks of their own: they show nothing, look like a space, or turn the text around them. */
const HIDDEN =
  '\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u{2800}\\u{16fe4}\\u{1d159}\\u{1d173}-\\u{1d17a}'

// Unassigned and private characters have looks where a font has them. Selectors choose between the looks of an emoji.
const KEPT = '[\\t\\n\\p{Cn}\\p{Co}\\u2800\\ufe0e\\ufe0f\\u200d]'
const NEVER_KEPT = '\\u{fff0}-\\u{fff8}\\u{e0000}-\\u{e0fff}'
// A page never needs it: bundlers leave out what they know to be pure.
const UNPRINTABLE = /* @__PURE__ */ (() => new RegExp(`[${NEVER_KEPT}]|(?!${KEPT})[${HIDDEN}]`, 'gu'))()
/** A joiner stays only where it joins two emoji to one. */
const LOOSE_JOINER =
  /(?<!\p{Emoji}[\u{fe0f}\p{Emoji_Modifier}]?)\u{200d}|\u{200d}(?!\p{Extended_Pictographic})/gu

/**
 * Text of others as it may stand in a terminal or a log: nothing in it can draw over other text, hide, or turn it around.
 * What could is left out; where a person decides by each character, see `visible`.
 */
export const printable = (text: string): string =>
  withLineBreaks(withoutStrings(text).replace(SEQUENCE, ''))
    .replace(UNPRINTABLE, '')
    .replace(LOOSE_JOINER, '')

/** The same in one line, cut to `most` characters before it is looked at: errors quote files of any length. */
export function printableLine(text: string, most = 2000): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text
  return printable(cut).replaceAll(/[\n\t]/g, ' ')
}

const WRITTEN_OUT = new RegExp(`(?![\\t\\n ])[${HIDDEN}\\p{Zs}]`, 'gu')

/**
 * Text that a person permits by, such as a command: what cannot be seen is written out, as `<U+3164>`. Spaces other than
 * the ordinary one are too: programs do not take them for a space.
 */
export const visible = (text: string): string =>
  text.replace(WRITTEN_OUT, (character) => {
    const code = character.codePointAt(0) as number
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })

const ALL_HIDDEN = new RegExp(`[${HIDDEN}]`, 'gu')

/** Text without the characters that cannot be seen, for comparing names. */
export const withoutHidden = (text: string): string => text.replace(ALL_HIDDEN, '')

/** The text without the strings that have an end. One that has none loses its beginning alone, as a control character. */
function withoutStrings(text: string): string {
  const kept: string[] = []
  let at = 0
  while (true) {
    STRING_START.lastIndex = at
    const start = STRING_START.exec(text)
    if (!start) break
    STRING_STOP.lastIndex = STRING_START.lastIndex
    const stop = STRING_STOP.exec(text)
    if (!stop) break
    // What breaks a string off may begin the next one.
    const isEnded = STRING_ENDS.includes(stop[0])
    kept.push(text.slice(at, isEnded ? start.index : stop.index))
    at = isEnded ? STRING_STOP.lastIndex : stop.index
  }
  return kept.join('') + text.slice(at)
}
