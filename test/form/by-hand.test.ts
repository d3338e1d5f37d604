import { press } from '@sandagent/testing/playwright'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { drawn } from '../support/browser/drawn.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

describe.skipIf(!chromiumPath)('three questions', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  const open = async (page: Page, kind: string): Promise<void> => {
    await page.goto(`${demo().url}/gallery?${new URLSearchParams({ kind, state: 'Waiting' })}`)
    await page.locator('.sa-fields:enabled').waitFor()
  }
  const answers = (page: Page): Promise<string[]> => page.locator('.sa-summary dd').allTextContents()
  const sent = (page: Page): Promise<void> => page.getByRole('status').filter({ hasText: 'Sent.' }).waitFor()

  it('are answered by keyboard alone', async () => {
    const page = await browser().newPage()
    const { keyboard } = page
    await open(page, 'Several questions')
    const radio = page.getByRole('radio', { name: 'HTML' })
    for (
      let presses = 0;
      !(await radio.evaluate((element) => element === document.activeElement));
      presses++
    ) {
      expect(presses).toBeLessThan(30)
      await keyboard.press('Tab')
    }
    await keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: 'PDF' }).isChecked()).toBe(true)
    await keyboard.press('Enter')
    await page.getByRole('group', { name: 'What should it cover?' }).waitFor()
    await keyboard.press('3')
    await keyboard.press('ArrowUp')
    await keyboard.press('Space')
    await keyboard.press('Control+Enter')
    await page.getByRole('textbox', { name: /^Who reads it/ }).waitFor()
    await keyboard.type('Everybody')
    await keyboard.press('Shift+Enter')
    await keyboard.type('else')
    await keyboard.press('Enter')
    await page.getByRole('group', { name: 'Check your answers' }).waitFor()
    // The focus was led there, and no ring around all of it says so, whatever a minifier made of the styles.
    expect(await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)).toBe(
      'none',
    )
    await keyboard.press('Enter')
    await sent(page)
    expect(await answers(page)).toEqual(['PDF', 'Open pointsFigures, with their sources', 'Everybody\nelse'])
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('status')
    await page.close()
  })

  it('are answered by touch at 360 px', async () => {
    const context = await browser().newContext({
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    })
    const page = await context.newPage()
    await open(page, 'Several questions')
    /** Taps once nothing has moved for a moment: the form takes no taps before. */
    const tap = async (target: Locator): Promise<void> => {
      await drawn(page)
      await page.locator('.sa-ask:not([data-settling])').waitFor()
      await press(target, 'tap')
    }
    expect(await page.locator('.sa-shortcuts').isVisible()).toBe(false)
    await tap(page.getByText('Fixed pages, made for print.'))
    await tap(page.getByText('Half a page, for those in a hurry.'))
    await tap(page.getByText('Open points'))
    await tap(page.getByRole('button', { name: 'Next' }))
    await tap(page.getByRole('textbox', { name: /^Who reads it/ }))
    await page.keyboard.type('Everybody')
    await tap(page.getByRole('button', { name: 'Review' }).last())
    await tap(page.getByRole('button', { name: 'Change: Which format should the report have?' }))
    await tap(page.getByText('One file that opens in any browser.'))
    await tap(page.getByRole('button', { name: 'Review' }).first())
    await tap(page.getByRole('button', { name: 'Send answer' }))
    await sent(page)
    expect(await answers(page)).toEqual(['HTML', 'SummaryOpen points', 'Everybody'])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await context.close()
  })

  it('show previews that load nothing from elsewhere, and run nothing', async () => {
    const page = await browser().newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).origin))
    await open(page, 'HTML previews')
    await page.locator('iframe[srcdoc]').first().waitFor()
    await open(page, 'Previews')
    await page.locator('.sa-preview table').waitFor()
    expect(requests.filter((origin) => origin !== demo().url && origin !== 'null')).toEqual([])
    await page.close()
  })

  it('show a preview of ten thousand characters in a box that keys scroll, and stay in sight', async () => {
    const page = await browser().newPage({ viewport: { width: 360, height: 740 } })
    await open(page, 'Previews')
    const preview = page.getByRole('figure', { name: /^Preview: No menu/ })
    await preview.and(page.locator('[tabindex="0"]')).waitFor()
    expect((await preview.textContent())?.length).toBeGreaterThan(10_000)
    expect((await preview.boundingBox())?.height).toBeLessThan(370)
    await preview.focus()
    await page.keyboard.press('End')
    await vi.waitFor(async () =>
      expect(await preview.evaluate((box) => box.scrollTop + box.clientHeight + 1 >= box.scrollHeight)).toBe(
        true,
      ),
    )
    await press(page.getByRole('radio', { name: 'No menu' }))
    await sent(page)
    await page.close()
  })

  it('are answered by mouse where the Markdown renderer cannot be loaded', async () => {
    const page = await browser().newPage()
    const missed: string[] = []
    await page.route(/\/markdown-[^/]*\.js/, (route) => {
      missed.push(route.request().url())
      return route.abort()
    })
    await open(page, 'Previews')
    await page.locator('.sa-preview > pre').first().waitFor()
    await press(page.getByRole('radio').first())
    await sent(page)
    expect(missed).not.toEqual([])
    await page.close()
  })

  it('follow the direction of reading with the arrow keys', async () => {
    const page = await browser().newPage()
    await open(page, 'Right to left')
    const current = page.locator('[aria-current=step]')
    await page.locator('.sa-chip').first().focus()
    await page.keyboard.press('ArrowLeft')
    expect(await current.textContent()).toBe('الاسم')
    await page.locator('.sa-chip').nth(1).focus()
    await page.keyboard.press('ArrowRight')
    expect(await current.textContent()).toBe('اللغة')
    await page.close()
  })
})
