import { describe, expect, it } from 'vitest'
import { faultsInEveryLook } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { askOnPage } from '../support/engines/question-page.ts'

describe.skipIf(!chromiumPath)('numbers and dates in a browser', () => {
  const browser = sharedChromium()

  it('say in every look what does not fit, and lead to it', async () => {
    const asked = await askOnPage('Numbers and dates')
    const page = await browser().newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(asked.url)
    const field = (name: string) => page.getByLabel(name, { exact: false })
    await field('After how long').fill('1,500')
    await field('From: Which ports').fill('9')
    await field('Who gets the reports').fill('somebody')
    await field('On which day').press('ArrowUp')
    await page.getByRole('button', { name: 'Send answer' }).press('Enter')
    for (const expected of [
      'Enter a number (ms), at least 50 and at most 5000, in steps of 50: write 1500, not 1,500',
      'Enter a whole number, from and to in this order, at least 1 and at most 65535: the second is missing',
      'Enter an e-mail address',
      'Something is missing here, or it is not in the calendar',
    ])
      await page.getByText(expected, { exact: true }).waitFor()
    expect(await field('After how long').evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await page.locator('[aria-invalid=true]').count()).toBeGreaterThan(3)
    if (process.env.SCREENSHOTS)
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 360],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        const path = `${process.env.SCREENSHOTS}/typed-${colorScheme}.png`
        await page.screenshot({ path, fullPage: true })
      }
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.close()
  })
})
