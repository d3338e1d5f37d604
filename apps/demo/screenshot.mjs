// Takes the picture of the demo that the README shows.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/run.mjs'
import { withDemo } from './with-demo.mjs'

const path = join(root, 'docs/images/demo.png')

await withDemo(async (browser, address) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1010 }, deviceScaleFactor: 1.5 })
  await page.goto(address)
  await page.getByRole('button', { name: /Create a small project/ }).click()
  await page.getByRole('radio', { name: 'Command-line tool' }).click()
  await page.getByRole('checkbox', { name: 'Tests' }).check()
  await page.getByRole('checkbox', { name: 'README, with usage' }).check()
  await page.getByText('Draft saved · 1 of 2 answered').waitFor()
  await page.getByText('"What should come with it?": "Tests').waitFor()
  await page.locator(':focus').blur()
  await page.mouse.move(0, 0)
  await page.screenshot({ path })
})
console.log(`${path}: ${Math.round(statSync(path).size / 1000)} kB`)
