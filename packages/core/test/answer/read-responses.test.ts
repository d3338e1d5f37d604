import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readResponses } from '../../src/answer/read-responses.ts'
import { parseResponses } from '../parse-responses.ts'
import { sketch, takenBy } from '../sketches.ts'

const RESPONSE = {
  skipped: 'flag',
  selected: ['text'],
  freeText: 'text',
  notes: 'text',
  source: 'text',
} as const

describe('readResponses', () => {
  it('reads all that can be given as the strict parser does', () => {
    const source = fc.constantFrom('human', 'default')
    const response = fc
      .tuple(sketch(RESPONSE), source)
      .map(([value, given]) =>
        value && typeof value === 'object' && 'source' in value ? { ...value, source: given } : value,
      )
    const id = fc.oneof(fc.constantFrom('q1', 'q2', '__proto__', 'constructor'), fc.string())
    fc.assert(
      fc.property(fc.array(fc.tuple(id, response), { maxLength: 3 }), (entries) => {
        const input = Object.fromEntries(entries)
        const responses = takenBy(parseResponses, input)
        fc.pre(responses !== null)
        expect(Object.entries(readResponses(input))).toEqual(Object.entries(responses))
      }),
    )
  })

  it('leaves out what is of another shape', () => {
    expect([undefined, null, 'other', [1]].map(readResponses)).toEqual([{}, {}, {}, {}])
    expect(
      readResponses({
        q1: null,
        q2: { selected: 'A' },
        q3: { selected: ['A', 1], freeText: 2, source: 'robot' },
      }),
    ).toEqual({ q3: { selected: ['A'], source: 'human' } })
  })
})
