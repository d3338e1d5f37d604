/**
 * The parser reads a reference such as `&amp;` by writing it into an element as HTML. Pages with Trusted Types forbid
 * that. So references are hidden from the parser, by a code point that is no character.
 */
const HIDDEN = '\ufdd0'
/** Stands behind a code point that is the text's own. */
const OWN = '\ufdd1'

/** The references that agents write. Others are shown as they are written. */
const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  times: '×',
  rarr: '→',
  larr: '←',
}

export const hideReferences = (text: string): string =>
  text.replaceAll(HIDDEN, HIDDEN + OWN).replace(/&(?=[a-z\d]{1,31};)/gi, HIDDEN)

/** The text with its references as characters, or as they were written. */
export const showReferences = (text: string, look?: 'as written'): string =>
  text.replace(/\ufdd0(?:\ufdd1|([a-z\d]{1,31});)/gi, (_, name: string | undefined) => {
    if (name === undefined) return HIDDEN
    return look !== 'as written' && Object.hasOwn(CHARACTERS, name)
      ? (CHARACTERS[name] as string)
      : `&${name};`
  })
