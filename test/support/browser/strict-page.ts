import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

/** Opens a page until the test ends. The test fails if the page throws, or breaks its own content security policy. */
export async function openStrictly(
  browser: Browser | BrowserContext,
  address: string,
  { width = 1280 }: { width?: number } = {},
): Promise<Page> {
  const page = await browser.newPage()
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  onTestFinished(() => page.close())
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text())
  })
  onTestFinished(() => expect(faults).toEqual([]))
  await page.goto(address)
  return page
}

/** Signs a browser in with a link of `sandagent serve`. */
export async function openInbox(browser: Browser | BrowserContext, link: string): Promise<Page> {
  const page = await openStrictly(browser, link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/(#.*)?$/)
  return page
}
