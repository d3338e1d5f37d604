import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TextKind } from '@sandagent/core/internal'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { imageSize } from '../../../src/form/markdown/image-size.ts'
import { imageSource, MOST_IMAGE_BYTES } from '../../../src/form/markdown/image-source.ts'
import { renderMarkdown } from '../../../src/form/markdown/markdown.tsx'

const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const bytes = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'))

/** The first bytes of a PNG of this size. */
function png(width: number, height: number, length = 33): string {
  const file = Buffer.alloc(length)
  file.write('89504e470d0a1a0a0000000d49484452', 'hex')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  return `data:image/png;base64,${file.toString('base64')}`
}

const html = (text: string, kind: TextKind = 'preview'): string =>
  renderToStaticMarkup(renderMarkdown(text, kind))

describe('the size of an image', () => {
  it.each([
    ['GIF', GIF, { width: 1, height: 1 }],
    ['JPEG', '/9j/4AAQSkZJRgABAQAAAQABAAD/wgARCAAGAAcDAREAAhEBAxEB', { width: 7, height: 6 }],
    ['WebP', 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoQACAAAwA0JaQAA3AA/vuUAAA=', { width: 16, height: 32 }],
    ['lossless WebP', 'UklGRhoAAABXRUJQVlA4TA0AAAAvD8AHAAcQERGIiP4HAA==', { width: 16, height: 32 }],
    ['WebP with parts', 'UklGRhYAAABXRUJQVlA4WAoAAAAAAAAADwAAHwAA', { width: 16, height: 32 }],
    ['AVIF', 'AAAAFGZ0eXBhdmlmAAAAAGF2aWYAAAAUaXNwZQAAAAAAAAAQAAAAIA==', { width: 16, height: 32 }],
  ])('is read: %s', (_, base64, size) => {
    expect(imageSize(bytes(base64))).toEqual(size)
  })

  it('is that of a file of this repository', () => {
    const file = readFileSync(join(import.meta.dirname, '../../../../../docs/images/demo.png'))
    expect(imageSize(file)).toEqual({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) })
  })

  it('is unknown for what ends too early or is no image', () => {
    for (const base64 of [
      '',
      'AAAA',
      'iVBORw0KGgo=',
      '/9j/',
      'UklGRhYAAABXRUJQ',
      'PHN2Zy8+',
      GIF.slice(0, 8),
    ])
      expect(imageSize(bytes(base64))).toBeNull()
    expect(imageSize(bytes(png(0, 5).slice(22)))).toBeNull()
  })
})

describe('an image in Markdown', () => {
  it('is shown in a preview, with its alternative text and its size', () => {
    const url = png(30, 20)
    expect(html(`![Two bars](${url} "title")`)).toBe(
      `<img src="${url}" alt="Two bars" width="30" height="20" decoding="async"/>`,
    )
  })

  it.each(['block', 'line', 'label'] as const)('is text elsewhere: %s', (kind) => {
    expect(html(`![Two bars](${png(3, 2)})`, kind)).toMatch(
      /^Two bars <bdi class="sa-address">\(data:image\/png/,
    )
  })

  it.each([
    ['of a server', 'https://example.org/a.png'],
    ['of this site', '/a.png'],
    ['that can hold scripts', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['that is HTML', 'data:text/html;base64,PGI+'],
    ['that is no base64', 'data:image/png;base64,%%%'],
    ['of many pixels', png(4097, 4096)],
    ['of many bytes', png(3, 2, MOST_IMAGE_BYTES + 3)],
    ['without a size', 'data:image/png;base64,AAAA'],
  ])('is never loaded: one %s', (_, url) => {
    expect(imageSource(url)).toBeNull()
    const shown = html(`![What it shows](<${url}>)`)
    expect(shown).not.toContain('<img')
    expect(shown).toContain('What it shows')
  })

  it('keeps its place among others', () => {
    const [a, b] = [png(1, 2), png(3, 4)]
    const shown = html(`![a](${a}) ![b](${b}) ![a](${a}) ![x](data:7)`)
    expect([...shown.matchAll(/width="(\d)"/g)].map(([, width]) => width)).toEqual(['1', '3', '1'])
    expect(shown).toContain('x <bdi class="sa-address">(data:7)</bdi>')
  })
})
