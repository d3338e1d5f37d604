import type { Key } from 'node:readline'
import type { Readable } from 'node:stream'

/** A list of `@clack/prompts` whose first rows show the numbers 1, 2, 3, … */
export interface NumberedList {
  numbered: number
  /** The number of all rows. */
  rows: number
  /** The position of the row that is marked first. */
  start: number
  /** Whether a number also toggles the check of its row. */
  isMultiple: boolean
}

/** How far each key moves the mark. */
const STEPS: Readonly<Record<string, number>> = {
  up: -1,
  left: -1,
  k: -1,
  h: -1,
  down: 1,
  right: 1,
  j: 1,
  l: 1,
}

/**
 * Lets number keys pick from a list while `prompt` shows it, by pressing arrow keys and Space. Digits in a row make one
 * number if the list is long enough: "1" and "2" pick the twelfth of twelve rows, or the first two of five. Any other
 * key, such as a comma, ends a number.
 */
export async function withNumberKeys<T>(
  input: Readable,
  { numbered, rows, start, isMultiple }: NumberedList,
  prompt: () => Promise<T>,
): Promise<T> {
  let marked = start
  let typed = 0
  let isPressing = false

  const press = (name: string, text?: string): void => {
    isPressing = true
    input.emit('keypress', text, { name })
    isPressing = false
  }
  const pick = (number: number): void => {
    while (marked !== number - 1) press(marked < number - 1 ? 'down' : 'up')
    if (isMultiple) press('space', ' ')
  }
  const onKey = (text: string | undefined, { name = '', ctrl, meta }: Key): void => {
    marked = (marked + (STEPS[name] ?? 0) + rows) % rows
    if (isPressing) return
    const digit = text !== undefined && /^\d$/.test(text) && !ctrl && !meta ? Number(text) : undefined
    const [before, both] = [typed, typed * 10 + (digit ?? 0)]
    typed = 0
    if (digit === undefined) return
    const isLonger = before > 0 && both <= numbered
    // Undo the pick of the first digits.
    if (isLonger && isMultiple) pick(before)
    const number = isLonger ? both : digit
    if (number < 1 || number > numbered) return
    pick(number)
    typed = number
  }

  input.on('keypress', onKey)
  try {
    return await prompt()
  } finally {
    input.off('keypress', onKey)
  }
}
