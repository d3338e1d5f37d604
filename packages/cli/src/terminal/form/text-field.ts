import { withLineBreaks } from '@sandagent/core/internal'
import type { Key } from '../keyboard/key.ts'
import { widthOf } from './draw/wrap.ts'

/** A text that is typed, and the place of the cursor in it, between two whole characters. */
export interface Field {
  text: string
  cursor: number
}

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

/** A field as it is drawn: lines of at most `width` columns, and where its cursor is. */
export function drawField({ text, cursor }: Field, width: number) {
  const lines = ['']
  let [row, column, taken] = [0, 0, 0]
  const here = (place: number): void => {
    if (place === cursor) [row, column] = [lines.length - 1, taken]
  }
  for (const { segment, index } of CHARACTERS.segment(text)) {
    here(index)
    // Nothing that was pasted moves the cursor of the terminal.
    const isBreak = withLineBreaks(segment) === '\n'
    const shown = isBreak ? '' : shownAs(segment)
    const wide = widthOf(shown)
    if (isBreak || taken + wide > width) {
      lines.push('')
      taken = 0
      if (!isBreak) here(index)
    }
    lines[lines.length - 1] += shown
    taken += wide
  }
  here(text.length)
  return { lines, row, column }
}

/** A character of a typed text. Those that cannot be seen are shown as a sign. */
const shownAs = (character: string): string =>
  character === '\t' ? ' ' : /^[\p{C}\p{Zl}\p{Zp}]+$/u.test(character) ? '·' : character
