import { describe, expect, it } from 'vitest'
import { denialText, isDenialText, notRunText } from '../../src/internal.ts'

describe('isDenialText', () => {
  it.each(['Use pnpm', '', undefined])(
    'recognises what the model reads about a denial with the note %j',
    (note) => {
      expect(isDenialText(denialText({ toolName: 'Bash', input: {} }, note))).toBe(true)
    },
  )

  it.each([
    notRunText('Bash', 'Nobody answered within 5 s.'),
    'The user denied it',
    `The tool said: ${denialText({ toolName: 'Bash', input: {} }, undefined)}`,
    denialText({ toolName: '', input: {} }, undefined),
    '',
  ])('does not take %j for a denial', (text) => {
    expect(isDenialText(text)).toBe(false)
  })
})
