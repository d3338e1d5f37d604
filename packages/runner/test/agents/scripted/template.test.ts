import { describe, expect, it } from 'vitest'
import { fillTemplate, namesIn } from '../../../src/agents/scripted/template.ts'

const fill = (template: string, values: Record<string, string> = {}) =>
  fillTemplate(template, (name) => values[name] ?? '')

describe('fillTemplate', () => {
  it('puts values in the place of their names', () => {
    expect(fill('{{a}} and {{ b }}', { a: '1', b: '2' })).toBe('1 and 2')
  })

  it('takes the text after ?? for an empty value', () => {
    expect(fill('{{a ?? some words}}, {{b ?? none}}', { b: '2' })).toBe('some words, 2')
  })

  it('writes a value as a JSON string, whatever is in it', () => {
    const hostile = '"; process.exit() // \n $& `'
    expect(JSON.parse(fill('{{json a}}', { a: hostile }))).toBe(hostile)
    expect(fill('{{json a ?? Hello}}')).toBe('"Hello"')
  })

  it('does not fill what a value brought in', () => {
    expect(fill('{{a}}', { a: '{{b}} $& $1', b: 'no' })).toBe('{{b}} $& $1')
  })

  it('leaves other braces alone', () => {
    expect(fill('{ {a} {{ }} {{b c}}')).toBe('{ {a} {{ }} {{b c}}')
  })
})

describe('namesIn', () => {
  it('lists what a template refers to', () => {
    expect(namesIn('{{a}} {{json b.c ?? d}} { e }')).toEqual(['a', 'b.c'])
  })
})
