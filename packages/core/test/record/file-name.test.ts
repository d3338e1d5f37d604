import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileNameOf } from '../../src/internal.ts'

describe('fileNameOf', () => {
  it('is the tool call id wherever that can be a file name', () => {
    for (const id of ['toolu_01ABC', 'call-1.2', 'CON', 'a'.repeat(200)])
      expect(fileNameOf(id)).toBe(`${id}.json`)
  })

  it('hashes every other id', () => {
    for (const id of [
      '',
      '.',
      '..',
      '.hidden',
      '../../x',
      'a/b',
      'a\\b',
      'nul\0',
      'ü',
      'a b',
      'a'.repeat(201),
      'x'.repeat(10_000),
    ])
      expect(fileNameOf(id)).toBe(`hashed-${createHash('sha256').update(id).digest('hex')}.json`)
  })

  it('gives an id that is spelled like a hash a name of its own', () => {
    const hashed = fileNameOf('a/b')
    expect(fileNameOf(hashed.replace('.json', ''))).not.toBe(hashed)
  })

  it('is always one plain path component', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 220 })), (id) => {
        expect(fileNameOf(id)).toMatch(/^(?!\.)[A-Za-z0-9._-]{1,200}\.json$/)
      }),
    )
  })
})
