import { withLineBreaks } from '@sandagent/core/internal'
import type { Key } from '../keyboard/key.ts'
import { widthOf } from './draw/wrap.ts'

/** A text that is typed, and the place of the cursor in it, between two whole characters. */
export interface Field {
  text: string
  cursor: number
}

/** A secret as people see it while they type it. */
export const hidden = ({ text, cursor }: Field): Field => ({ text: '•'.repeat(text.length), cursor })

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What a key makes of a field. `null` for keys that are not for fields. */
export function edit({ text, cursor }: Field, key: Key): Field | null {
  const [before, after] = [text.slice(0, cursor), text.slice(cursor)]
  const to = (place: number): Field => ({ text, cursor: place })
  const insert = (typed: string): Field => ({ text: before + typed + after, cursor: cursor + typed.length })
  const cutBack = (length: number): Field => ({
    text: before.slice(0, before.length - length) + after,
    cursor: cursor - length,
  })
  const isByWord = key.ctrl || key.meta
  if (key.text !== '') return insert(key.text)
  // Enter goes on. With Alt, Ctrl or Shift, and as Ctrl-J, it begins another line.
  if (key.name === 'enter' || (key.name === 'return' && isByWord) || (key.name === 'return' && key.shift))
    return insert('\n')
  // A letter with Ctrl is a key of its own.
  switch (key.ctrl && key.name.length === 1 ? `Ctrl-${key.name}` : key.name) {
    case 'left':
      return to(cursor - (isByWord ? lastWord(before) : lastCharacter(before)))
    case 'right':
      return to(cursor + (isByWord ? firstWord(after) : firstCharacter(after)))
    case 'home':
      return to(before.lastIndexOf('\n') + 1)
    case 'end':
      return to(after.includes('\n') ? cursor + after.indexOf('\n') : text.length)
    case 'backspace':
      return cutBack(isByWord ? lastWord(before) : lastCharacter(before))
    case 'delete':
      return { text: before + after.slice(firstCharacter(after)), cursor }
    case 'Ctrl-a':
      return to(0)
    case 'Ctrl-e':
      return to(text.length)
    case 'Ctrl-w':
      return cutBack(lastWord(before))
    case 'Ctrl-u':
      return cutBack(before.length)
    case 'Ctrl-k':
      return { text: before, cursor }
    default:
      return null
  }
}

const firstCharacter = (text: string): number =>
  CHARACTERS.segment(text)[Symbol.iterator]().next().value?.segment.length ?? 0

/** A character is short, however long the text before it is. */
const lastCharacter = (text: string): number =>
  [...CHARACTERS.segment(text.slice(-64))].at(-1)?.segment.length ?? 0

const firstWord = (text: string): number => text.length - text.trimStart().replace(/^\S+/, '').length

function lastWord(text: string): number {
  const word = text.trimEnd()
  return text.length - Math.max(word.lastIndexOf(' '), word.lastIndexOf('\n')) - 1
}

/** A field as it is drawn: lines of at most `width` columns that break between words, and where its cursor is. */
export function drawField({ text, cursor }: Field, width: number) {
  const lines: Line[] = [newLine()]
  let at = { row: 0, column: 0 }
  let line = lines[0] as Line
  /** Where the cursor is within the word that is not placed yet, in columns. */
  let inWord: number | null = null
  let word = newLine()

  const begin = (): void => {
    line = newLine()
    lines.push(line)
  }
  const put = (shown: string, wide: number): void => {
    line.text += shown
    line.taken += wide
  }
  const here = (): void => {
    at = { row: lines.length - 1, column: line.taken }
  }
  const endWord = (): void => {
    if (line.taken > 0 && line.taken + word.taken > width) begin()
    if (inWord !== null) at = { row: lines.length - 1, column: line.taken + inWord }
    put(word.text, word.taken)
    word = newLine()
    inWord = null
  }
  for (const { segment, index } of CHARACTERS.segment(text)) {
    // Nothing that was pasted moves the cursor of the terminal.
    const isBreak = withLineBreaks(segment) === '\n'
    const shown = isBreak ? '' : shownAs(segment)
    const wide = widthOf(shown)
    if (isBreak || shown === ' ') {
      endWord()
      if (index === cursor) here()
      // A space at the end of a line is out of sight.
      if (isBreak || line.taken + wide > width) begin()
      else put(shown, wide)
      continue
    }
    // A word that fills a line is cut. A wide character is a word of its own: such texts have no spaces.
    if (word.taken + wide > width || wide > 1) endWord()
    if (index === cursor) inWord = word.taken
    word.text += shown
    word.taken += wide
    if (wide > 1) endWord()
  }
  endWord()
  if (cursor === text.length) here()
  return { lines: lines.map((each) => each.text), ...at }
}

interface Line {
  text: string
  /** Its width in columns. */
  taken: number
}

const newLine = (): Line => ({ text: '', taken: 0 })

/** A character of a typed text. Those that cannot be seen are shown as a sign. */
const shownAs = (character: string): string =>
  character === '\t' ? ' ' : /^[\p{C}\p{Zl}\p{Zp}]+$/u.test(character) ? '·' : character
