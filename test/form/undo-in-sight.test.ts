import { press } from '@sandagent/testing/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

describe.skipIf(!chromiumPath)('in a form that is longer than the screen', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  const open = async (state: string): Promise<Page> => {
    const context = await browser().newContext({ viewport: { width: 360, height: 420 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${demo().url}/gallery?${new URLSearchParams({ kind: 'Previews', state })}`)
    return page
  }

  it.each([
    ['Counting down', 'Undo'],
    ['Trying again', 'Stop trying'],
  ])('the button that keeps an answer is in sight from the first option on: %s', async (state, name) => {
    const page = await open(state)
    const button = page.getByRole('button', { name })
    await button.waitFor()
    await page.locator('.sa-legend').evaluate((element) => element.scrollIntoView({ block: 'start' }))
    expect(await page.evaluate(() => document.body.scrollHeight - innerHeight - scrollY)).toBeGreaterThan(200)
    const { y = 0, height = 0 } = (await button.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(420)
    await press(button)
    await page.getByRole('button', { name: 'Send answer' }).waitFor()
  })

  it('a second click, where the buttons have just appeared, presses none', async () => {
    const page = await open('Waiting')
    await page.locator('.sa-fields:enabled').waitFor()
    const option = page.locator('.sa-option').nth(1)
    await option.evaluate((element) => element.scrollIntoView({ block: 'end' }))
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    // Something may have moved just before the clock stopped. The form takes clicks again when the clock goes on.
    do {
      await page.clock.runFor(1000)
      const { y = 0, height = 0 } = (await option.boundingBox()) ?? {}
      await page.mouse.click(250, y + height - 20)
    } while (!(await option.getByRole('radio').isChecked()))
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    for (const button of await page.locator('.sa-footer button').all()) {
      const box = await button.boundingBox()
      await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10)
    }
    expect(await undo.isVisible()).toBe(true)
  })
})
