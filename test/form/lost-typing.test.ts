import { picked } from '@sandagent/fixtures/questions.ts'
import { submitAnswer } from '@sandagent/sdk'
import { press } from '@sandagent/testing/playwright'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { askOnPage } from '../support/engines/question-page.ts'

describe.skipIf(!chromiumPath)('keys typed for a field that has vanished', () => {
  const browser = sharedChromium()

  const first = (page: Page): Locator => page.locator('.sa-ask').nth(0)
  const second = (page: Page): Locator => page.locator('.sa-ask').nth(1)
  const picks = (page: Page): Promise<number> => page.locator('.sa-option input:checked').count()

  /** Two questions on a page. A person types into the first one, when somebody else answers it. */
  async function typingIntoFirst(): Promise<Page> {
    const { url, sandbox, toolCallId } = await askOnPage('Single choice', { calls: 2 })
    const page = await browser().newPage({ viewport: { width: 800, height: 1600 } })
    onTestFinished(() => page.close())
    await page.goto(url)
    await page.locator('.sa-fields:enabled').nth(1).waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await first(page).getByRole('textbox').focus()
    await page.keyboard.type('something of ')
    expect(await picks(page)).toBe(0)
    await submitAnswer(sandbox, { toolCallId, responses: { format: picked('PDF') }, status: 'completed' })
    await expect
      .poll(async () => {
        await page.clock.runFor(100)
        return page.locator('.sa-ask:not([data-status=waiting]) + .sa-ask:not([data-settling])').count()
      })
      .toBe(1)
    return page
  }

  it('pick nothing, open nothing and send nothing in the next question', async () => {
    const page = await typingIntoFirst()
    for (const key of '2 pages, no more than 12n') {
      await page.clock.runFor(150)
      await page.keyboard.press(key)
    }
    await page.clock.runFor(1900)
    await page.keyboard.press('1')
    expect(await picks(page)).toBe(0)
    expect(await page.locator('.sa-note textarea').count()).toBe(0)
    expect(await second(page).getAttribute('data-status')).toBe('waiting')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  })

  it.each([
    ['a click', (page: Page) => page.getByRole('heading', { name: 'Gallery' }).click()],
    ['Tab', (page: Page) => page.keyboard.press('Tab')],
    ['two seconds without keys', (page: Page) => page.clock.runFor(2000)],
  ])('count again after %s', async (_, act) => {
    const page = await typingIntoFirst()
    await page.keyboard.press('2')
    expect(await picks(page)).toBe(0)
    await act(page)
    // What has just moved takes no picks for a moment.
    await page.clock.runFor(500)
    await page.keyboard.press('2')
    expect(await picks(page)).toBe(1)
  })

  it('are others after the person has sent an answer: the next question takes them at once', async () => {
    const { url } = await askOnPage('Single choice', { calls: 2 })
    const page = await browser().newPage({ viewport: { width: 800, height: 1600 } })
    onTestFinished(() => page.close())
    await page.goto(url)
    await page.locator('.sa-fields:enabled').nth(1).waitFor()
    await first(page).getByRole('textbox').fill('a poem')
    await first(page).getByRole('textbox').press('Enter')
    await page.locator('[data-status=received] + .sa-ask:not([data-settling])').waitFor()
    await page.keyboard.press('2')
    expect(await picks(page)).toBe(1)
    await press(second(page).getByRole('button', { name: 'Undo' }))
  })
})
