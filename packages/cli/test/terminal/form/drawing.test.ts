import type { Question } from '@sandagent/core'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { markdownLines } from '../../../src/terminal/form/draw/markdown.ts'
import { createPaint } from '../../../src/terminal/form/draw/paint.ts'
import { wrap } from '../../../src/terminal/form/draw/wrap.ts'
import { openForm } from './open-form.ts'

const preview = ['# Title', '', '```js', ...Array.from({ length: 60 }, (_, line) => `line(${line})`), '```']
const question = {
  id: 'q',
  question: 'Which **one**?\n\n漢字 and a [link](https://example.com/a). '.repeat(4),
  options: Array.from({ length: 14 }, (_, index) => ({
    label: `Option ${index} with a label that is rather long 👍🏽`,
    description: 'What it means. '.repeat(index),
    ...(index % 2 === 0 && { preview: preview.join('\n') }),
  })),
}
const questions = [
  question,
  { id: 'two', question: 'Name?' },
  { id: 'three', question: 'Many?', multiSelect: true },
]

describe('a drawing', () => {
  it('fits every terminal from 40 to 220 columns and from 6 rows on, with the question and the mark in sight', () => {
    const size = fc.record({
      columns: fc.integer({ min: 40, max: 220 }),
      rows: fc.oneof(fc.integer({ min: 6, max: 24 }), fc.integer({ min: 24, max: 80 })),
    })
    const keys = fc.array(
      fc.constantFrom('down', 'pagedown', 'tab', 'shift-tab', 'x', 'l', 'escape', '漢字かな', 'enter', 'end'),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(size, keys, (size, keys) => {
        const form = openForm(questions, size)
        form.press(...keys)
        const { lines, cursor } = form.model.getDrawing()
        expect(lines.length).toBeLessThan(size.rows)
        for (const line of lines) expect(stringWidth(line)).toBeLessThan(size.columns)
        const preview = lines.findIndex((line) => line.startsWith('Preview of'))
        const above = preview === -1 ? lines : lines.slice(0, preview)
        expect(above.some((line) => /^│ ./.test(line))).toBe(true)
        expect(lines.filter((line) => line.startsWith('❯'))).toHaveLength(1)
        if (cursor) expect(cursor.y).toBeLessThan(lines.length)
        if (cursor) expect(cursor.x).toBeLessThan(size.columns)
      }),
      { numRuns: 40 },
    )
  })

  it('numbers the first nine options alone, also where each has one line', () => {
    const form = openForm(questions, { columns: 49, rows: 9 })
    form.press('pagedown')
    expect(form.lines().join('\n')).toMatch(/ 9\. ○ Option 8 .*\n {5}○ Option 9 /)
    for (const line of form.lines()) expect(stringWidth(line)).toBeLessThan(49)
  })

  it('fits with a long answer and a long note, and cuts fields before it cuts the question', () => {
    const form = openForm([{ id: 'q', question: 'Which?', options: [{ label: 'A' }] }], { rows: 18 })
    form.press('n')
    form.paste('note\n'.repeat(9))
    form.press('up')
    form.paste('own\n'.repeat(9))
    expect(form.lines().length).toBeLessThan(18)
    expect(form.lines().join('\n')).toMatch(/│ Which\?[\s\S]*○ A[\s\S]*❯ Own answer/)
    form.model.resize({ columns: 80, rows: 6 })
    expect(form.lines()).toHaveLength(5)
    expect(form.lines().join('\n')).toMatch(/│ Which\?[\s\S]*○ A[\s\S]*❯ Own answer/)
  })

  it.each<[string, Partial<Question>, string]>([
    [
      'a range',
      { typed: { kind: 'date', latest: '2026-12-31', range: true } },
      'between, not after 2026-12-31',
    ],
    [
      'files',
      { files: { types: ['image/png', 'text/plain'] } },
      'The agent can read a file as soon as it is added.',
    ],
  ])('shows all that is asked of %s, on a narrow terminal too', (_, more, last) => {
    const drawn = (rows: number): string =>
      openForm([{ question: 'What?', ...more }], { columns: 36, rows, view: { takesFiles: true } })
        .lines()
        .join('\n')
    expect(drawn(30).replaceAll(/\s+/g, ' ')).toContain(last)
    expect(drawn(9)).toMatch(/│ What\?[\s\S]*❯ Answer/)
  })

  it('puts previews beside the options on a wide terminal, and below them on a narrow one', () => {
    const options = [{ label: 'A', preview: 'looks' }, { label: 'B' }]
    const drawn = (columns: number) =>
      openForm([{ question: 'Which?', options }], { columns })
        .lines()
        .join('\n')
    expect(drawn(200)).toMatch(/○ A {64}Preview of A\n.*○ B {64}│ looks\n/)
    expect(drawn(80)).toMatch(/○ A\n.*○ B\n\nPreview of A\n│ looks\n/)
  })

  it('names the keys that work, and shows whole texts above the form where they are cut', () => {
    const form = openForm([question], { columns: 80, rows: 24 })
    expect(form.lines().join('\n')).toMatch(/1–\d pick .* Ctrl-O whole text/s)
    const printed: string[] = []
    form.model.onWholeTexts((text) => printed.push(text))
    form.press('ctrl-o')
    expect(printed.join('')).toContain('line(59)')
  })

  it('tells until when the agent waits, and counts the last minute down', () => {
    let now = Date.now()
    const form = openForm([{ question: 'Which?' }], { now: () => now })
    expect(form.lines()[0]).toBe('The agent asks')
    const view = {
      ...{ toolCallId: 'c', kind: 'question', state: 'open', questions: [], responses: {}, revision: 0 },
      ...{ declined: false, deadline: new Date(now + 90_000).toISOString(), remainingMs: 90_000 },
    }
    const snapshot = { ...form.session.getSnapshot(), deadline: now + view.remainingMs }
    form.session.getSnapshot = () => snapshot
    form.model.tick()
    expect(form.lines()[0]).toMatch(/^The agent asks {10,}waits until \d/)
    now += 80_000
    form.model.tick()
    expect(form.lines()[0]).toMatch(/10 s left$/)
    now += 20_000
    form.model.tick()
    expect(form.lines()[0]).toMatch(/time is up$/)
  })
})

describe('a long text that was pasted', () => {
  it('shows how much is above, and below', () => {
    const form = openForm([{ id: 'q', question: 'Which?', options: [{ label: 'A' }] }])
    form.paste(Array.from({ length: 18 }, (_, line) => `line ${line + 1}`).join('\n'))
    expect(form.lines().join('\n')).toMatch(
      /❯ Own answer: … 13 lines above\n {14}line 14\n[\s\S]* {14}line 18\n/,
    )
    form.press('home', 'ctrl-a')
    expect(form.lines().join('\n')).toMatch(
      /❯ Own answer: line 1\n[\s\S]* {14}line 6\n {14}… 12 lines below\n/,
    )
  })
})

describe('a text of the agent', () => {
  const drawn = (text: string) =>
    openForm([{ question: text }])
      .lines()
      .join('\n')

  it('is shown without the signs of Markdown', () => {
    expect(drawn('# Plan\n\n- **one** `two`\n- three\n\n> four\n\n[five](https://x.example)')).toContain(
      ['│ Plan', '│', '│ • one two', '│ • three', '│', '│ > four', '│', '│ five (https://x.example)'].join(
        '\n',
      ),
    )
  })

  it('shows code in what is strong, too', () => {
    const lines = markdownLines('**run `npm test`** and `x`', 40, {
      paint: createPaint(true),
      questions: [],
      isPlain: false,
    })
    expect(lines).toEqual(['\u001b[1mrun \u001b[36mnpm test\u001b[39m\u001b[22m and \u001b[36mx\u001b[39m'])
  })

  it('breaks between words', () => {
    const text = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ')
    for (const width of [20, 37, 80])
      for (const line of wrap(text, width)) expect(line).toMatch(/^( ?word\d+)+$/)
  })

  it('names the address of a link, and has no HTML', () => {
    expect(drawn('[https://good.example](https://bad.example) <b>bold</b>')).toContain(
      'https://good.example (https://bad.example) <b>bold</b>',
    )
  })

  it('cannot hold what a terminal obeys, also not as a reference', () => {
    const lines = drawn('a&#x1b;[2Jb &#8238;c \u001b]0;title\u0007d `\u202ee` [f](https://x.example/\u202e)')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(lines).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\p{Cf}/u)
  })
})
