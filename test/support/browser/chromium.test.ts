import { describe, expect, it } from 'vitest'
import { chromiumPath, launchChromium } from './chromium.ts'

describe.skipIf(!chromiumPath)('launchChromium', () => {
  it('opens a page and leaves no process when it is closed', async () => {
    const browser = await launchChromium()
    const page = await browser.newPage()
    await page.setContent('<button>Send</button>')
    expect(await page.getByRole('button').textContent()).toBe('Send')

    await browser.close()
    expect(browser.isConnected()).toBe(false)
  })
})
