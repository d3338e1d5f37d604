import { describe, expect, it } from 'vitest'
import { kindText, limitsText, sizeText, typeByName } from '../../../src/answer/files/files-for-people.ts'

/** Without the kind of blank that a language has. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

describe('the size of a file', () => {
  it.each([
    [0, '0 kB'],
    [70, '0.07 kB'],
    [999, '1 kB'],
    [1000, '1 kB'],
    [1540, '1.5 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1 MB'],
    [26_214_400, '26.2 MB'],
  ])('of %s bytes is %s', (bytes, text) => {
    expect(plain(sizeText(bytes, 'en'))).toBe(text)
  })

  it.each([
    ['de', '0,07 kB', '26,2 MB'],
    ['fr', '0,07 ko', '26,2 Mo'],
    ['ja', '0.07 KB', '26.2 MB'],
    ['ru', '0,07 кБ', '26,2 МБ'],
  ])('has the units of the language %s', (locale, small, large) => {
    expect([70, 26_214_400].map((bytes) => plain(sizeText(bytes, locale)))).toEqual([small, large])
  })
})

it.each([
  ['image/png', 'PNG'],
  ['image/*', 'images'],
  ['text/plain', 'TXT'],
  ['image/svg+xml', 'SVG'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'DOCX'],
  ['application/x-tar', 'TAR'],
])('people call %s %s', (type, text) => {
  expect(kindText(type)).toBe(text)
})

it.each([
  ['table.CSV', 'text/csv'],
  ['a.tar.zip', 'application/zip'],
  ['constructor', ''],
  ['a.constructor', ''],
  ['zip', ''],
])('the name %s says the type “%s”', (name, type) => {
  expect(typeByName(name)).toBe(type)
})

it('what a question takes is said in one line', () => {
  expect(limitsText(3, '2 MB', ['image/png', 'text/plain'])).toBe(
    'Up to 3 files · PNG, TXT · 2 MB each at most',
  )
  expect(limitsText(1, '2 MB', [])).toBe('One file · 2 MB at most')
})
