import { describe, expect, it } from 'vitest'
import { drawField } from '../../../src/terminal/form/text-field.ts'
import { openForm } from './open-form.ts'

/** Types into the text field of a question, and returns its text. */
function typed(...keys: string[]) {
  const form = openForm([{ id: 'q', question: 'Name?' }])
  form.press(...keys)
  return form.session.getSnapshot().entered.q
}

describe('a text field', () => {
  it.each([
    ['takes characters where the cursor is', ['ac', 'left', 'b'], 'abc'],
    ['moves by whole characters', ['👍🏽é', 'left', 'left', 'x'], 'x👍🏽é'],
    ['deletes before the cursor, a whole character', ['a👩‍👩‍👧', 'backspace'], 'a'],
    ['deletes behind the cursor', ['ab', 'home', 'delete'], 'b'],
    ['deletes a word', ['one two ', 'ctrl-w'], 'one '],
    ['deletes all before the cursor', ['one', 'ctrl-u', 'x'], 'x'],
    ['deletes all behind the cursor', ['one', 'ctrl-a', 'right', 'ctrl-k'], 'o'],
    ['takes a line break by Ctrl-J', ['one', 'enter', 'two', 'home', '>'], 'one\n>two'],
    ['takes digits, spaces and letters that are keys elsewhere', ['n 1'], 'n 1'],
  ])('%s', (_, keys, text) => {
    expect(typed(...keys)).toMatchObject({ freeText: text })
  })

  it('takes a pasted text as it is, and sends nothing by its line breaks', () => {
    const form = openForm([{ id: 'q', question: 'Name?' }])
    form.paste('one\ntwo\n')
    expect(form.sent()?.status).not.toBe('completed')
    expect(form.session.getSnapshot().entered.q).toMatchObject({ freeText: 'one\ntwo\n' })
  })

  it('breaks lines by what characters take up, and knows where the cursor is', () => {
    expect(drawField({ text: '漢字かなab', cursor: 5 }, 4)).toEqual({
      lines: ['漢字', 'かな', 'ab'],
      row: 2,
      column: 1,
    })
    expect(drawField({ text: 'one two', cursor: 4 }, 5)).toEqual({
      lines: ['one ', 'two'],
      row: 1,
      column: 0,
    })
    expect(drawField({ text: 'hello world', cursor: 5 }, 5)).toEqual({
      lines: ['hello', 'world'],
      row: 0,
      column: 5,
    })
    expect(drawField({ text: 'toolong a', cursor: 6 }, 4).lines).toEqual(['tool', 'ong ', 'a'])
    expect(drawField({ text: 'a\n', cursor: 2 }, 4)).toEqual({ lines: ['a', ''], row: 1, column: 0 })
  })
})
