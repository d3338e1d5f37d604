import { describe, expect, it } from 'vitest'
import { rememberByText } from '../../src/lib/remember.ts'

const counted = () => {
  let count = 0
  const parse = rememberByText((text) => {
    count += 1
    return { text }
  })
  return { parse, count: () => count }
}

describe('rememberByText', () => {
  it('gives the same value again for the same text, and another for another', () => {
    const { parse, count } = counted()
    expect(parse('a')).toEqual({ text: 'a' })
    expect(parse('a')).toBe(parse('a'))
    expect(parse('b')).toEqual({ text: 'b' })
    expect(count()).toBe(2)
  })

  it('remembers no long text', () => {
    const { parse, count } = counted()
    const longest = 'x'.repeat(16_384)
    expect(parse(longest)).toBe(parse(longest))
    expect(count()).toBe(1)
    expect(parse(`${longest}x`)).not.toBe(parse(`${longest}x`))
    expect(count()).toBe(3)
  })

  it('forgets all texts when there are too many', () => {
    const { parse, count } = counted()
    const first = parse('0')
    for (let index = 1; index < 500; index++) parse(`${index}`)
    expect(parse('0')).toBe(first)
    expect(count()).toBe(500)
    parse('500')
    expect(parse('0')).not.toBe(first)
  })
})
