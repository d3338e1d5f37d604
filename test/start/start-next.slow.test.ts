import { press } from '@sandagent/testing/playwright'
import { describe, it, onTestFinished } from 'vitest'
import { chromiumPath, launchChromium } from '../support/browser/chromium.ts'
import { startServer } from '../support/servers/start-server.ts'

describe.skipIf(!chromiumPath)('the start on Next.js', () => {
  it('asks in the page, and the agent goes on with the answer', async () => {
    const next = 'node_modules/next/dist/bin/next'
    const url = await startServer('next', next, 'dev', '--hostname', '127.0.0.1', '--port', '0')
    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(250_000) // The development server compiles while the page waits.
    await page.goto(url, { waitUntil: 'networkidle' })
    await press(page.getByRole('button', { name: 'Deploy' }))
    await press(page.getByRole('radio', { name: 'Staging' }))
    await page.getByText('I deploy to Staging.').waitFor()
  }, 300_000)
})
