import { describe, expect, it } from 'vitest'
import { markdownLines } from '../../../../src/terminal/form/draw/markdown.ts'
import { createPaint } from '../../../../src/terminal/form/draw/paint.ts'
import { wrap } from '../../../../src/terminal/form/draw/wrap.ts'

describe('a line of 130,000 characters', () => {
  it('is wrapped whole', () => {
    const lines = wrap('👍a'.repeat(43_333), 80)
    expect(lines.join('')).toBe('👍a'.repeat(43_333))
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120)
  })

  it('is shown without the images in it', () => {
    const text = `![A map](data:image/png;base64,${'A'.repeat(90_000)}) of it`
    const options = { paint: createPaint(false), questions: [], isPlain: false }
    expect(markdownLines(text, 80, options)).toEqual(['[A map] of it'])
  })
})
