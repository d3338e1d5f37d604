import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { listWithin } from '../../src/dialects/dialect.ts'
import { parseWith } from '../../src/lib/schema.ts'

describe('a list within bounds', () => {
  const schema = listWithin(v.string(), [2, 3], 'options')
  const parse = (input: unknown) => parseWith(schema, input, 'INVALID_QUESTIONS', 'Wrong')

  it('is read with as many entries as the bounds say', () => {
    for (const list of [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ])
      expect(parse(list)).toEqual(list)
  })

  it.each([{ list: ['a'] }, { list: ['a', 'b', 'c', 'd'] }])(
    'is refused as $list, and the fault says how many entries it takes',
    ({ list }) => {
      expect(() => parse(list)).toThrow(
        expect.objectContaining({ faults: [{ path: '', expected: '2 to 3 options' }] }),
      )
    },
  )
})
