import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allowedText,
  denialText,
  isDenialText,
  quoteComments,
  readCall,
  readComments,
  writeComments,
} from '../../src/internal.ts'

const PLAN = '# Move house\n\n1. Pack\r\n2. Drive\n'
const subject = { toolName: 'ExitPlanMode', input: { plan: PLAN, planFilePath: '/plans/a.md' } }
const commentsIn = (note: string) => {
  const { lines, rest } = readComments(PLAN, note)
  return { ...Object.fromEntries(lines), rest }
}

describe('a plan', () => {
  it('is read from the call, and what else the call says stays in sight', () => {
    expect(readCall(subject)).toEqual({ kind: 'plan', plan: PLAN, rest: { planFilePath: '/plans/a.md' } })
  })

  it.each([{}, { plan: '' }, { plan: 1 }, { plan: 'x', command: 'rm' }])(
    'is none in %j: the call is shown as it is',
    (input) => expect(readCall({ toolName: 'ExitPlanMode', input }).kind).toBe('other'),
  )
})

describe('comments on a plan', () => {
  it('stand behind the numbers of their lines, and go on below', () => {
    expect(commentsIn('Well.\n3: Why?\nIt is empty.\n4: By train\n3: Really')).toEqual({
      3: 'Why?\nIt is empty.\nReally',
      4: 'By train',
      rest: 'Well.',
    })
  })

  it('need a line that is there', () => {
    expect(commentsIn('0: a\n6: b\n99999999: c\nno: d')).toEqual({
      rest: '0: a\n6: b\n99999999: c\nno: d',
    })
  })

  it('are the same after they were written as a note and read again, at each key', () => {
    const text = fc.stringMatching(/^[\n 1-4:a-z]{0,20}$/)
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('1', '2', '4'), text), text, (given, rest) => {
        const lines = new Map(Object.entries(given).map(([number, words]) => [Number(number), words]))
        const once = readComments(PLAN, writeComments({ lines, rest }))
        const kept = [...lines].filter(([, words]) => words !== '')
        expect(new Set(once.lines.keys())).toEqual(new Set(kept.map(([number]) => number)))
        expect(readComments(PLAN, writeComments(once))).toEqual(once)
      }),
    )
  })

  it('reach the model below the lines that they are about, quoted', () => {
    expect(quoteComments(PLAN, 'Nearly.\n4: By train\n3: Why?')).toBe(
      'Nearly.\n\nOn line 4:\n> 2. Drive\nBy train\n\nOn line 3:\n> 1. Pack\nWhy?',
    )
    const long = quoteComments('x'.repeat(1_000_000), '1: Shorter')
    expect(long.length).toBeLessThan(600)
  })

  it('are the reason of a denial, which pages recognise', () => {
    const text = denialText(subject, '4: By train')
    expect(text).toBe(
      'ExitPlanMode was not run. The user denied it: the plan needs changes. Make them, and present it again. They say:\n\nOn line 4:\n> 2. Drive\nBy train',
    )
    expect(isDenialText(text)).toBe(true)
    expect(isDenialText(denialText(subject, undefined))).toBe(true)
  })

  it('reach the model with an accepted plan, too', () => {
    expect(allowedText(subject, '4: Slowly')).toContain('> 2. Drive\nSlowly')
    expect(allowedText({ toolName: 'Bash', input: {} }, 'Go')).toBe('The user allowed Bash, saying "Go".')
  })
})
