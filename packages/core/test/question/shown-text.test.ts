import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { optionTitle, type Question, questionTitle, shownQuestion } from '../../src/internal.ts'

describe('shownQuestion', () => {
  it.each([
    ['Which?', 'Which?', ''],
    ['\n  \nWhich?\n\n- a\n- b', 'Which?', '- a\n- b'],
    ['## Which one?\nMore', 'Which one?', 'More'],
    ['Which one?\n=====\nMore', 'Which one?', 'More'],
    ['Which?\r\nMore', 'Which?', 'More'],
    ['#tag or #other?', '#tag or #other?', ''],
    ['- a\n- b\n\nWhich?', '', '- a\n- b\n\nWhich?'],
    ['```ts\nf()\n```\nIs this right?', '', '```ts\nf()\n```\nIs this right?'],
    ['| a | b |\n|---|---|\nWhich?', '', '| a | b |\n|---|---|\nWhich?'],
    ['> quoted\n\nWhich?', '', '> quoted\n\nWhich?'],
  ])('splits %j', (question, heading, body) => {
    expect(shownQuestion({ question })).toEqual({ heading, body })
  })

  it('takes a plain text as it is', () => {
    const question = '# Which?\n---\nMore'
    expect(shownQuestion({ question, textFormat: 'plain' })).toEqual({
      heading: '# Which?',
      body: '---\nMore',
    })
  })
})

describe.each([undefined, 'plain'] as const)('a question whose first line is long (%s)', (textFormat) => {
  const line = 'word '.repeat(61).trim()
  const question: Question = { question: `${line}\nMore`, ...(textFormat && { textFormat }) }

  it('has no heading: nobody reads that much in bold', () => {
    expect(shownQuestion(question)).toEqual({ heading: '', body: `${line}\nMore` })
  })

  it('is named by the beginning of that line', () => {
    expect(questionTitle(question)).toBe(`${line.slice(0, 300)}…`)
  })
})

describe('questionTitle', () => {
  it.each([
    ['**Which** of `a` and _b_?\nMore', 'Which of a and b?'],
    [
      '***Both*** [here](https://example.org "title") or <https://example.org>?',
      'Both here or https://example.org?',
    ],
    ['Is 2 * 3 * 4 in my_file_name or __x?', 'Is 2 * 3 * 4 in my_file_name or __x?'],
    ['1\\. or 2\\*?', '1. or 2*?'],
    ['- **a**\n- b', 'a'],
    ['```ts\nf()\n```\nRight?', 'f()'],
    ['| a | b |\n|---|---|', 'a | b |'],
  ])('reads %j in one line', (question, title) => {
    expect(questionTitle({ question })).toBe(title)
  })

  it('is the first line of a plain text', () => {
    expect(questionTitle({ question: '**Which**?\nMore', textFormat: 'plain' })).toBe('**Which**?')
  })

  it('is short and has something to read if the question has', () => {
    const sign = fc.constantFrom(
      '*',
      '_',
      '`',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '\\',
      '|',
      '-',
      '#',
      'a',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 400 }), (signs) => {
        const title = questionTitle({ question: `Which? ${signs.join('')}` })
        expect(title).toContain('Which?')
        expect(title).not.toContain('\n')
        expect(title.length).toBeLessThanOrEqual(301)
      }),
    )
  })
})

it('the title of an option has neither signs nor the mark', () => {
  const option = { label: '**Vitest** (Recommended)' }
  expect(optionTitle({ question: 'Which?' }, option)).toBe('Vitest')
  expect(optionTitle({ question: 'Which?', textFormat: 'plain' }, option)).toBe('**Vitest**')
})

it.each(['D:\\data\\_old', '__init__.py', 'src/**/*.ts', '*.test.*', 'my_file_name', 'a `b/*` c/*.ts'])(
  'the title of an option keeps the signs of names: %s',
  (label) => {
    expect(optionTitle({ question: 'Which?' }, { label })).toBe(label.replaceAll('`', ''))
  },
)
