import { describe, expect, it } from 'vitest'
import {
  authorId,
  authorOf,
  isSameAuthor,
  isSameName,
  nameKey,
  shownName,
} from '../../../src/record/people/author.ts'

describe('the author of a request', () => {
  it('is the name, else the browser, else nobody', () => {
    expect(authorOf({ answeredBy: 'Ada', browser: 'one' })).toEqual({ answeredBy: 'Ada' })
    expect(authorOf({ answeredBy: undefined, browser: 'one' })).toEqual({ browser: 'one' })
    expect(authorOf({})).toEqual({})
    expect(authorOf({ answeredBy: '', browser: 'one' })).toEqual({ answeredBy: '' })
  })

  it('is the same for the same name, and for the same browser', () => {
    expect(isSameAuthor({ answeredBy: 'Ada' }, { answeredBy: 'Ada' })).toBe(true)
    expect(isSameAuthor({ browser: 'one' }, { browser: 'one' })).toBe(true)
    expect(isSameAuthor({ answeredBy: 'Zoé' }, { answeredBy: 'ZOE\u200d\u0301' })).toBe(true)
    expect(isSameAuthor({}, {})).toBe(true)
    expect(isSameAuthor({ answeredBy: 'Ada' }, { answeredBy: 'Ben' })).toBe(false)
    expect(isSameAuthor({ browser: 'one' }, { browser: 'two' })).toBe(false)
    expect(isSameAuthor({ answeredBy: 'one' }, { browser: 'one' })).toBe(false)
  })
})

describe('names', () => {
  it('that look the same count as one', () => {
    expect(isSameName('Ada', ' ada\u200b ')).toBe(true)
    expect(isSameName('ﬁ', 'fi')).toBe(true)
    expect(isSameName('Zoé', 'Zoe\u200d\u0301')).toBe(true)
    expect(isSameName('Zoé', 'ZOE\u0301')).toBe(true)
    expect(isSameName('ΝΙΚΟΣ', 'νικοσ')).toBe(true)
    expect(isSameName('Νίκος', 'ΝΊΚΟΣ')).toBe(true)
    expect(isSameName('Weiß', 'WEISS')).toBe(true)
    expect(isSameName('Zoé', 'Zoe')).toBe(false)
    expect(nameKey(' Ada Love ')).toBe('ada love')
    expect(isSameName('Ada', 'Ben')).toBe(false)
  })

  it('are nobody’s where there is none', () => {
    expect(isSameName(undefined, undefined)).toBe(false)
    expect(isSameName('undefined', undefined)).toBe(false)
    expect(isSameName(undefined, 'undefined')).toBe(false)
  })

  it('are shown up to 100 characters, and no character is split', () => {
    expect(shownName({ answeredBy: 'Ada' })).toEqual({ name: 'Ada' })
    expect(shownName({ answeredBy: '😀'.repeat(101) })).toEqual({ name: '😀'.repeat(100) })
    expect(shownName({ browser: 'one' })).toEqual({})
  })
})

describe('the id of an author', () => {
  it('is short, the same each time, and another one for each', () => {
    expect(authorId({ answeredBy: 'Ada' })).toMatch(/^[0-9a-f]{16}$/)
    expect(authorId({ answeredBy: 'Ada' })).toBe(authorId({ answeredBy: 'Ada' }))
    const all = [{ answeredBy: 'one' }, { browser: 'one' }, { answeredBy: 'two' }, { browser: 'two' }, {}]
    expect(new Set(all.map(authorId)).size).toBe(all.length)
  })
})
