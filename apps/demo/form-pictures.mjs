// Takes the pictures of docs/guides from the gallery.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/run.mjs'
import { withDemo } from './with-demo.mjs'

/** @type {{ name: string, kind: string, state: string, width?: number, colorScheme?: 'light' | 'dark' }[]} */
const PICTURES = [
  { name: 'steps', kind: 'Several questions', state: 'Draft saved' },
  { name: 'review', kind: 'Several questions', state: 'Review' },
  { name: 'received', kind: 'Several questions', state: 'Received' },
  { name: 'previews', kind: 'Previews', state: 'Waiting', width: 860 },
  { name: 'not-reachable', kind: 'Single choice', state: 'Trying again' },
  { name: 'declining', kind: 'Multiple choice', state: 'Declining' },
  { name: 'narrow-dark', kind: 'Multiple choice', state: 'Draft saved', width: 360, colorScheme: 'dark' },
  { name: 'right-to-left', kind: 'Right to left', state: 'Draft saved' },
  { name: 'two-people', kind: 'Single choice', state: 'Somebody else is answering' },
  { name: 'permission', kind: 'Permission', state: 'Waiting' },
]

const folder = join(root, 'docs/images/form')
mkdirSync(folder, { recursive: true })

await withDemo(async (browser, address) => {
  for (const { name, kind, state, width = 720, colorScheme = 'light' } of PICTURES) {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      deviceScaleFactor: 1.5,
      colorScheme,
      reducedMotion: 'reduce',
    })
    await page.goto(`${address}/gallery?${new URLSearchParams({ kind, state })}`)
    const form = page.locator('.sa-ask')
    await form.waitFor()
    // What arrives takes a moment, and what is acted out a little longer.
    if (state !== 'Received' && state !== 'Trying again') await form.locator('.sa-fields:enabled').waitFor()
    if (kind === 'Previews') await form.locator('table').waitFor()
    if (state === 'Trying again') await form.getByRole('button', { name: 'Try now' }).waitFor()
    await form.screenshot({ path: join(folder, `${name}.png`) })
    await page.close()
  }
})
