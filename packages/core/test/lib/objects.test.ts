import { describe, expect, it } from 'vitest'
import { isObject, own, pick, recordOf } from '../../src/lib/objects.ts'

it('only an object with keys is one', () => {
  expect([{}, { a: 1 }, Object.create(null)].map(isObject)).toEqual([true, true, true])
  expect([null, undefined, [], 'text', 5, () => {}].map(isObject)).toEqual(Array(6).fill(false))
})

it('an own property is read, and none of the prototype', () => {
  expect(own({ a: 1 }, 'a')).toBe(1)
  expect(own({ a: 1 }, 'b')).toBeUndefined()
  expect(own<unknown>({ a: 1 }, 'constructor')).toBeUndefined()
})

it('a record has the keys that a value was found for', () => {
  expect(recordOf(['a', 'b', 'c'], (key, index) => (key === 'b' ? undefined : index))).toEqual({ a: 0, c: 2 })
  expect(recordOf(['a'], () => null)).toEqual({ a: null })
})

describe('pick', () => {
  it('takes the values of one type, and leaves out all others', () => {
    const from = { a: 'text', b: 5, c: true, d: 'more' }
    expect(pick(from, 'string', ['a', 'b', 'c', 'missing'])).toEqual({ a: 'text' })
    expect(pick(from, 'number', ['a', 'b', 'c'])).toEqual({ b: 5 })
    expect(pick(from, 'boolean', ['a', 'b', 'c'])).toEqual({ c: true })
  })

  it.each([null, undefined, 'text', ['a']])('finds nothing in %j', (from) => {
    expect(pick(from, 'string', ['a', 'length', '0'])).toEqual({})
  })
})
