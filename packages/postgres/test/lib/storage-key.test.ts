import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storageKey, storedText, textOf } from '../../src/lib/storage-key.ts'

/** Any text of JavaScript, also one with NUL and halves of surrogate pairs. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
})

describe('a storage key', () => {
  it('is the id itself where that is short', () => {
    expect(storageKey('toolu_01A.b-c')).toBe('toolu_01A.b-c')
  })

  it('is short, and one that Postgres can store, for any id', () => {
    fc.assert(
      fc.property(anyText, (id) => {
        for (const each of [id, id.repeat(50)]) {
          const key = storageKey(each)
          expect(Buffer.byteLength(key)).toBeLessThanOrEqual(200)
          expect(key).not.toContain('\0')
          expect(Buffer.from(key).toString()).toBe(key)
        }
      }),
    )
  })

  it('is another one for another id', () => {
    const long = 'a'.repeat(1000)
    const ids = [long, `${long}b`, storageKey(long), '\0', '\\u0000', '\ud800', '\ufffd', 'é', 'e\u0301', '~']
    expect(new Set(ids.map(storageKey)).size).toBe(ids.length)
  })

  it('leaves the whole id in the stored text', () => {
    fc.assert(fc.property(anyText, (text) => textOf(storedText(text)) === text))
  })
})
