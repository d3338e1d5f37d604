import { press } from '@sandagent/testing/playwright'
import { describe, it, onTestFinished } from 'vitest'
import { chromiumPath, launchChromium } from '../support/browser/chromium.ts'
import { startServer } from '../support/servers/start-server.ts'

/** Reads a response until it has told all these words. */
function textOf({ body }: Response): (...words: RegExp[]) => Promise<void> {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  onTestFinished(() => reader.cancel())
  const decoder = new TextDecoder()
  let text = ''
  return async (...words) => {
    while (!words.every((word) => word.test(text))) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`The response ended: ${text}`)
      text += decoder.decode(value, { stream: true })
    }
  }
}

describe.skipIf(!chromiumPath)('the start on Next.js', () => {
  it('asks in the page, streams what waits, asks again, and says what is wrong', async () => {
    const next = 'node_modules/next/dist/bin/next'
    const url = await startServer('next', next, 'dev', '--hostname', '127.0.0.1', '--port', '0')
    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(250_000) // The development server compiles while the page waits.
    await page.goto(url, { waitUntil: 'networkidle' })
    await press(page.getByRole('button', { name: 'Deploy' }))
    await page.getByRole('radio', { name: 'Staging' }).waitFor()
    const told = textOf(await fetch(`${url}/api/answer`, { headers: { accept: 'text/event-stream' } }))
    await told(/event: list/, /Where to\?/, /"state":"open"/)
    await press(page.getByRole('radio', { name: 'Staging' }))
    await page.getByText('I deploy to Staging.').waitFor()
    // A fast agent has its answer before the stream tells that it was sent.
    await told(/"state":"(?:sent|answered)"/)

    await press(page.getByRole('button', { name: 'Deploy' }))
    await press(page.getByRole('radio', { name: 'Production' }))
    await page.getByText('I deploy to Production.').waitFor()

    await page.route('**/api/chat', (route) => route.fulfill({ status: 401, body: 'Sign in first' }))
    await press(page.getByRole('button', { name: 'Deploy' }))
    await page.getByText('Sign in first').waitFor()
  }, 300_000)
})
