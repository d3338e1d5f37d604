// Takes the picture of the demo that the README shows, with the system's Chromium, of what was built last.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findCommand } from '../../scripts/find-command.mjs'
import { root } from '../../scripts/run.mjs'
import { addressOf } from './address-of.mjs'

const path = join(root, 'docs/images/demo.png')
const workdir = mkdtempSync(join(tmpdir(), 'greeter-'))
const server = spawn(process.execPath, [join(root, 'apps/demo/dist/server/main.js')], {
  env: { ...process.env, PORT: '0', SANDAGENT_WORKDIR: workdir },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({
  executablePath: findCommand('chromium') ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1010 }, deviceScaleFactor: 1.5 })
  await page.goto(await addressOf(server.stdout))
  await page.getByRole('button', { name: /Create a small project/ }).click()
  await page.getByRole('radio', { name: 'Command-line tool' }).click()
  await page.getByRole('checkbox', { name: 'Tests' }).check()
  await page.getByRole('checkbox', { name: 'README, with usage' }).check()
  await page.getByText('Draft saved · 1 of 2 answered').waitFor()
  await page.getByText('"What should come with it?": "Tests').waitFor()
  await page.locator(':focus').blur()
  await page.mouse.move(0, 0)
  await page.screenshot({ path })
} finally {
  await browser.close()
  server.kill()
  server.on('exit', () => rmSync(workdir, { recursive: true }))
}
console.log(`${path}: ${Math.round(statSync(path).size / 1000)} kB`)
