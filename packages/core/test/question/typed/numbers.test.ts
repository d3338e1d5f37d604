import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { enteredFault, typedFault } from '../../../src/internal.ts'

const number = (limits: object = {}) => ({
  question: 'How many?',
  typed: { kind: 'number' as const, ...limits },
})

describe('a number that programs read in more than one way', () => {
  it.each([
    ['2,5', '2.5'],
    ['1.000,5', '1000.5'],
    ['1,000.5', '1000.5'],
    ['1.000.000', '1000000'],
    ['12 345,5', '12345.5'],
    ['1\u00a0500', '1500'],
    ["1'500", '1500'],
    ['1_500', '1500'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['+5', '5'],
    ['007', '7'],
    ['1e1', '10'],
    ['1E3', '1000'],
    ['2.5e-1', '0.25'],
    ['−5', '-5'],
    ['５', '5'],
    ['٣', '3'],
    ['٣٫٥', '3.5'],
    ['۱۲', '12'],
  ])('is refused everywhere: for %j, a person is told to write %j', (text, written) => {
    const fault = `a number: write ${written}, not ${text}`
    expect(typedFault(number(), text)).toBe(fault)
    expect(enteredFault(number(), text)).toBe(fault)
    expect(enteredFault(number(), written)).toBeNull()
  })

  it.each(['1,2,3', '1.2.3', '1 2', '1e400', '0x5', '5-', '--5', '½', '10²', ',', '1e', '1'.repeat(9999)])(
    'is refused without a guess if it is none: %j',
    (text) => {
      expect(typedFault(number({ max: 1e6 }), text)).not.toContain('write')
    },
  )

  it.each([
    '500.00000000000000000001',
    '9007199254740993',
    '9007199254740993.5',
    '0.1234567890123456789',
    `0.${'0'.repeat(400)}1`,
  ])('is refused if programs round it: %j', (text) => {
    expect(typedFault(number({ max: 1e16 }), text)).toBe(
      'a number, at most 10000000000000000, with at most 15 digits',
    )
  })

  it('is refused with the way to write it only if that fits', () => {
    expect(typedFault(number({ max: 10 }), '20,5')).toBe('a number, at most 10')
    expect(typedFault(number({ range: true }), '1/2,5')).toBe(
      'a number, from and to with only a slash between: write 2.5, not 2,5',
    )
  })

  it('is refused with a reason if nobody sees what is wrong with it', () => {
    expect(typedFault(number(), '5\u200b')).toBe('a number, without the character that nobody sees')
  })
})

describe('a number that people read in two ways', () => {
  it.each([
    ['1.500', '1500 or 1.5'],
    ['1,500', '1500 or 1.5'],
    ['-1.500', '-1500 or -1.5'],
    ['1.125', '1125 or 1.1250'],
    ['999.999', '999999 or 999.9990'],
  ])('is refused where a person types it: %j may be %s', (text, either) => {
    expect(enteredFault(number(), text)).toBe(`a number: write ${either}, because ${text} means either`)
    for (const written of either.split(' or ')) expect(enteredFault(number(), written)).toBeNull()
  })

  it('is one number where the limits leave one', () => {
    const thousands = { min: 50, max: 5000, step: 50 }
    expect(enteredFault(number({ max: 100 }), '1.500')).toBeNull()
    for (const text of ['1.500', '1,500'])
      expect(enteredFault(number(thousands), text)).toBe(
        `a number, at least 50 and at most 5000, in steps of 50: write 1500, not ${text}`,
      )
    expect(enteredFault(number({ step: 1 }), '1.000')).toBe(
      'a whole number: write 1000 or 1, because 1.000 means either',
    )
  })

  it.each(['0.500', '1.50', '1.5000', '1500', '1500.125', '0.125'])('is no such number: %j', (text) => {
    expect(enteredFault(number(), text)).toBeNull()
  })

  it('is one number from a program, as a default of the agent, and from a slider', () => {
    expect(typedFault(number(), '1.125')).toBeNull()
    expect(enteredFault({ ...number(), defaultText: '1.125' }, '1.125')).toBeNull()
    expect(enteredFault(number({ min: 0, max: 2000, step: 0.125, show: 'slider' }), '1.125')).toBeNull()
  })

  it('stays refused until it has one meaning, whichever way it is written', () => {
    const part = fc.stringMatching(/^\d{1,4}$/)
    const separator = fc.constantFrom('.', ',', ' ', "'", '')
    const text = fc.array(fc.tuple(part, separator), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(text, (parts) => {
        const typed = parts.flat().join('')
        const told = / (\S+) or (\S+),| write (\S+),/.exec(enteredFault(number(), typed) ?? '')?.slice(1)
        for (const written of told?.filter(Boolean) ?? []) expect(enteredFault(number(), written)).toBeNull()
        // What is taken without a word is the same number for every reader.
        if (enteredFault(number(), typed.trim()) === null)
          expect(typed.trim()).not.toMatch(/[, ']|^\d{1,3}\.\d{3}$(?<!^0.*)/)
      }),
    )
  })
})
