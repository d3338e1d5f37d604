import { virtual } from '@guidepup/virtual-screen-reader'
import { render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { AskUserQuestion } from '../../src/index.ts'
import { partAsking } from '../question-card.tsx'
import { arrived, status } from './form-fixture.tsx'

// jsdom has none, and the screen reader asks for it.
vi.stubGlobal('CSS', { escape: (id: string) => id.replace(/[^\w-]/g, '\\$&') })
// It also looks for names in elements that have just left the page.
Object.defineProperty(Element.prototype, 'getElementById', { value: () => null, configurable: true })

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

/** Resolves once the live region has said so. */
const hears = (text: string): Promise<void> =>
  vi.waitFor(async () => {
    const said = (await virtual.spokenPhraseLog()).filter((phrase) => phrase.startsWith('polite: '))
    expect(said.join('\n')).toContain(text)
  })

it('is answered by what a screen reader says', async () => {
  const transport = { send: async () => ({}) }
  const { container } = render(<AskUserQuestion part={partAsking(FORMAT, READERS)} transport={transport} />)
  await arrived()
  await virtual.start({ container })
  await readTo('radio, PDF')
  await virtual.act()
  await status('Draft saved · 1 of 2 answered')
  // The pick led on, and the focus with it.
  await hears('Question 2 of 2: Who reads it?')
  await virtual.type('Everybody')
  await status('Draft saved · 2 of 2 answered')
  await readTo('button, Review')
  await virtual.act()
  await readTo('button, Send answer')
  await virtual.act()
  await hears('Sent. Waiting for the agent to take it…')
  await readTo('end of region')
  // How often the live region speaks depends on how fast answers are stored.
  expect((await virtual.spokenPhraseLog()).filter((phrase) => /^polite: .*Draft saved/.test(phrase))).toEqual(
    [],
  )
  const read = (await virtual.spokenPhraseLog()).filter((phrase) => !phrase.startsWith('polite: '))
  await expect(`${read.join('\n')}\n`).toMatchFileSnapshot('screen-reader.txt')
})
