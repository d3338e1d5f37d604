import { describe, expect, it } from 'vitest'
import type { AskedQuestion } from '../../src/index.ts'
import { isQuickToRender, withoutImages } from '../../src/question/markdown-cost.ts'

/** The cost of this text is somewhat below the limit of one text, and four of them below that of a form. */
const COSTLY = '_'.repeat(950)

/** One question with some costly texts, each in another place. */
const questionWith = (places: number, textFormat: 'markdown' | 'plain' = 'markdown'): AskedQuestion => {
  const text = (place: number): string => (place < places ? COSTLY : '')
  return {
    id: 'q1',
    question: text(0),
    textFormat,
    options: [
      { label: text(1), description: text(2), preview: text(3) },
      { label: 'B', preview: text(4) },
    ],
  } as AskedQuestion
}

describe('a text that is rendered', () => {
  it('is quick up to a length, and up to an amount of markup', () => {
    expect(isQuickToRender('x'.repeat(20_000), [])).toBe(true)
    expect(isQuickToRender('x'.repeat(20_001), [])).toBe(false)
    expect(isQuickToRender('_'.repeat(1000), [])).toBe(true)
    expect(isQuickToRender('_'.repeat(1001), [])).toBe(false)
  })

  it('is slow when its lists are nested ten deep', () => {
    expect(isQuickToRender('- '.repeat(9), [])).toBe(true)
    expect(isQuickToRender(`text\n${'- 1. > '.repeat(4)}`, [])).toBe(false)
  })

  it('may hold large images', () => {
    const image = `![a](data:image/png;base64,${'A'.repeat(30_000)})`
    expect(isQuickToRender(image, [])).toBe(true)
    expect(isQuickToRender(`${image}${'x'.repeat(20_000)}`, [])).toBe(false)
  })

  it('loses the addresses of images that it holds itself, and no others', () => {
    const text = '![a](data:image/png;base64,AA==) b ![c](data:image/gif;base64,BB== "title")'
    expect(withoutImages(text)).toBe('![a]() b ![c]( "title")')
    const kept = '![a](https://example.com/a.png) [b](data:text/plain,c) data:image/png;base64,AA'
    expect(withoutImages(kept)).toBe(kept)
  })

  it('counts each sign that may be markup', () => {
    for (const sign of '*_`[]<>&\\|\n') {
      expect(isQuickToRender(`x${sign.repeat(999)}`, [])).toBe(true)
      expect(isQuickToRender(`x${sign.repeat(1000)}`, [])).toBe(false)
    }
    expect(isQuickToRender('(.)'.repeat(5000), [])).toBe(true)
  })

  it('is slow in a form whose texts are slow together, wherever they stand', () => {
    expect(isQuickToRender('a', [questionWith(4)])).toBe(true)
    expect(isQuickToRender('a', [questionWith(5)])).toBe(false)
    expect(isQuickToRender('a', [questionWith(4), questionWith(1)])).toBe(false)
  })

  it('is quick beside texts that are not rendered: plain ones, and those that are too slow alone', () => {
    expect(
      isQuickToRender(
        'a',
        Array.from({ length: 2 }, () => questionWith(5, 'plain')),
      ),
    ).toBe(true)
    expect(
      isQuickToRender(
        'a',
        Array.from({ length: 3 }, () => questionWith(5, 'plain')),
      ),
    ).toBe(false)
    const slow = { ...questionWith(0), question: '_'.repeat(5000) }
    expect(isQuickToRender('a', [slow, questionWith(4)])).toBe(true)
  })
})
