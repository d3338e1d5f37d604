import { withLineBreaks } from '../lib/text/line-breaks.ts'
import { hideReferences } from './character-references.ts'
import { changeNames } from './kept-words.ts'

/**
 * What a text of an agent is. `line`: one line. `label`: one line, in which links are text. `block`: paragraphs, lists,
 * tables and code. `preview`: the same, with images.
 */
export type TextKind = 'line' | 'label' | 'block' | 'preview'

/** HTML stays text, also the lines after it. */
const NEVER = ['htmlFlow', 'htmlText']
/** What is longer than a line. `1. Install` in a label is no list. */
const BLOCKS = [
  'blockQuote',
  'codeFenced',
  'codeIndented',
  'definition',
  'headingAtx',
  'list',
  'setextUnderline',
  'thematicBreak',
]

const isLine = (kind: TextKind): boolean => kind === 'line' || kind === 'label'

/** What the parser does not read in a text of this kind, by its own names. */
export const markdownOff = (kind: TextKind): string[] => (isLine(kind) ? [...NEVER, ...BLOCKS] : NEVER)

/** A text as the parser gets it, on the page and in the terminal. The words of the result are for `showReferences`. */
export function markdownSource(text: string, kind: TextKind): string {
  const lines = withLineBreaks(text)
  const source = isLine(kind) ? lines.trim() : lines
  return hideReferences(kind === 'label' ? changeNames(source, escaped) : source)
}

const escaped = (word: string): string =>
  word.replace(/[!-/:-@[-`{-~]/g, (sign) => (sign === '&' ? '&amp;' : `\\${sign}`))
