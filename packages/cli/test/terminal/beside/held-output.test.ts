import { describe, expect, it } from 'vitest'
import { holdOutput } from '../../../src/terminal/beside/held-output.ts'

describe('what is written while a form is on the screen', () => {
  it('appears when the form has gone, and keeps no writer waiting', async () => {
    const shown: string[] = []
    const { write, hold } = holdOutput(async (event) => void shown.push(event))
    await write('before')
    const release = hold()
    await write('meanwhile')
    await write('and then')
    expect(shown).toEqual(['before'])
    shown.push('form')
    await Promise.all([release(), write('after')])
    expect(shown).toEqual(['before', 'form', 'meanwhile', 'and then', 'after'])
  })
})
