import { describe, expect, it } from 'vitest'
import { jsonForPeople } from '../../../src/lib/text/json-for-people.ts'

describe('JSON for people', () => {
  it('is indented', () => expect(jsonForPeople({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}'))

  it('is empty for what is no JSON', () => expect(jsonForPeople(undefined)).toBe(''))

  it('stays about as long as its value, however deep that is nested', () => {
    const leaves = Array.from({ length: 10_000 }, () => 1)
    const deep = Array.from({ length: 500 }).reduce<unknown>((value) => [value], leaves)
    expect(jsonForPeople(deep)).toBe(JSON.stringify(deep))
  })
})
