import { virtual } from '@guidepup/virtual-screen-reader'
import { render, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { AskUserQuestion } from '../../../src/react/index.ts'
import { partAsking } from '../question-card.tsx'
import { arrived } from './form-fixture.tsx'

// jsdom has none, and the screen reader asks for it.
vi.stubGlobal('CSS', { escape: (id: string) => id.replace(/[^\w-]/g, '\\$&') })

afterEach(() => virtual.stop())

const FORMAT = {
  header: 'Format',
  question: 'Which format?',
  options: [{ label: 'HTML', description: 'One file for any browser.' }, { label: 'PDF' }],
}
const READERS = { header: 'Readers', question: 'Who reads it?' }

/** Goes on until something is said that contains the text. */
async function readTo(text: string): Promise<void> {
  for (let steps = 0; !(await virtual.lastSpokenPhrase()).includes(text); steps++) {
    expect(steps).toBeLessThan(60)
    await virtual.next()
  }
}

it('is answered by what a screen reader says', async () => {
  const transport = { send: async () => ({}) }
  const { container } = render(<AskUserQuestion part={partAsking(FORMAT, READERS)} transport={transport} />)
  await arrived()
  await virtual.start({ container })
  await readTo('PDF')
  await virtual.press('Space')
  await waitFor(async () => expect((await virtual.spokenPhraseLog()).join('\n')).toContain('Draft saved'))
  await readTo('button, Next')
  await virtual.act()
  await readTo('textbox, Who reads it?')
  await virtual.type('Everybody')
  await readTo('button, Review')
  await virtual.act()
  await readTo('button, Send answer')
  await virtual.act()
  await waitFor(async () => expect((await virtual.spokenPhraseLog()).join('\n')).toContain('Sent.'))
  await readTo('end of region')
  const log = await virtual.spokenPhraseLog()
  await expect(`${log.join('\n')}\n`).toMatchFileSnapshot('screen-reader.txt')
})
