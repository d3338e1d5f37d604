import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashesIn, readLine, sealLine } from '../../src/audit/audit-line.ts'

const OPENED = { at: '2026-01-31T09:30:15.123Z', action: 'opened', after: {} } as const

/** A line with this text before its hash, which is right. */
const sealed = (facts: string): string => {
  const hash = createHash('sha256').update(`${facts}}`).digest('hex')
  return `${facts},"hash":"${hash}"}`
}

it('a line has its place, its content and the hash of all before the hash', () => {
  const { text, hash } = sealLine({ seq: 3, previous: 'p' }, OPENED)
  const facts = `{"seq":3,"previous":"p","at":"${OPENED.at}","action":"opened","after":{}`
  expect(text).toBe(sealed(facts))
  expect(readLine(text)).toEqual({ line: { seq: 3, previous: 'p', content: OPENED, hash }, isWhole: true })
  const changed = text.replace('"seq":3', '"seq":4')
  expect(readLine(changed)).toEqual({
    line: { seq: 4, previous: 'p', content: OPENED, hash },
    isWhole: false,
  })
})

it.each([
  ['has no hash', '{"seq":1,"previous":""}'],
  ['has more behind its hash', `${sealed('{"seq":1,"previous":""')} `],
  ['is no JSON', sealed('{"seq":1,"previous":"",')],
  ['has no place', sealed('{"previous":""')],
  ['has a place that is no number', sealed('{"seq":"1","previous":""')],
  ['names no line before', sealed('{"seq":1')],
  ['names a line before by a number', sealed('{"seq":1,"previous":2')],
])('a text is no line if it %s', (_, text) => {
  expect(readLine(text)).toBeNull()
})

describe('the hashes in an opening line', () => {
  const read = (content: object, name: 'after' | 'removed') =>
    hashesIn({ seq: 1, previous: '', content: { ...content }, hash: '' }, name)

  it('are those under their name', () => {
    const content = { after: { a: '1' }, removed: { b: '2', c: '3' } }
    expect(read(content, 'after')).toEqual([['a', '1']])
    expect(read(content, 'removed')).toEqual([
      ['b', '2'],
      ['c', '3'],
    ])
  })

  it.each([{}, { after: null }, { after: 1 }, { after: { a: 1 } }])('are none in %j', (content) => {
    expect(read(content, 'after')).toEqual([])
  })
})
