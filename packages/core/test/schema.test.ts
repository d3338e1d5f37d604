import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { parseWith } from '../src/index.ts'

describe('parseWith', () => {
  it('tells a key that is missing from one that is not known', () => {
    const parse = (input: unknown) =>
      parseWith(v.strictObject({ say: v.string() }), input, 'INVALID_FILE', 'This is no step')
    expect(() => parse({})).toThrow('This is no step: say: expected a value')
    expect(() => parse({ say: '', shout: '' })).toThrow('This is no step: shout: expected no such key')
  })
})
