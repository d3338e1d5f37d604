import { press } from '@sandagent/testing/playwright'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

describe.skipIf(!chromiumPath)('a pick by pointer', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  const open = async (kind: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser().newContext({ viewport: { width: 800, height: 1000 }, ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${demo().url}/gallery?${new URLSearchParams({ kind, state: 'Waiting' })}`)
    await page.locator('.sa-fields:enabled').waitFor()
    await page.locator('.sa-ask:not([data-settling])').waitFor()
    return page
  }
  const picked = (page: Page): Promise<string[]> =>
    page
      .locator('.sa-option input:checked')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  const middle = async (place: Locator): Promise<{ x: number; y: number }> => {
    const box = await place.boundingBox()
    if (!box) throw new Error('It is not on the screen')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const drag = async (page: Page, from: Locator, to: Locator): Promise<void> => {
    const [start, end] = [await middle(from), await middle(to)]
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move(end.x, end.y, { steps: 5 })
    await page.mouse.up()
  }
  const selected = (page: Page): Promise<string> => page.evaluate(() => `${getSelection()}`)

  it('counts once for a double click, and not at all for the question that the first click led to', async () => {
    const page = await open('Several questions')
    await page.getByText('Fixed pages, made for print.').dblclick()
    await page.getByRole('group', { name: 'What should it cover?' }).waitFor()
    expect(await picked(page)).toEqual([])

    const several = await open('Multiple choice')
    await several.getByText('Open points').dblclick()
    expect(await picked(several)).toEqual(['Open points'])
  })

  it('does not count when it selects text of an option', async () => {
    const page = await open('Multiple choice')
    const text = page.getByText('Half a page, for those in a hurry.')
    const box = await text.boundingBox()
    const y = (await middle(text)).y - 4
    await page.mouse.move((box?.x ?? 0) + 60, y)
    await page.mouse.down()
    await page.mouse.move((box?.x ?? 0) + 160, y, { steps: 5 })
    await page.mouse.up()
    expect(await selected(page)).not.toBe('')
    expect(await picked(page)).toEqual([])
    await text.click()
    expect(await picked(page)).toEqual(['Summary'])
  })

  it('does not count when the pointer was pressed elsewhere', async () => {
    const page = await open('Multiple choice')
    const [first, second] = [page.locator('.sa-option').nth(0), page.locator('.sa-option').nth(1)]
    await drag(page, page.getByRole('heading', { name: 'Waiting' }), first)
    await drag(page, second, first)
    await drag(page, page.locator('.sa-legend'), second)
    expect(await picked(page)).toEqual([])
    await first.click()
    expect(await picked(page)).toEqual(['Summary'])
  })

  it('does not count when the option has just moved there, and counts a moment later', async () => {
    const page = await open('Multiple choice')
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    const { x, y } = await middle(page.locator('.sa-option').nth(1))
    await page.evaluate(() => {
      const news = document.createElement('div')
      news.style.height = '70px'
      document.querySelector('.gallery')?.prepend(news)
    })
    await page.locator('.sa-ask[data-settling]').waitFor()
    await page.mouse.click(x, y)
    expect(await picked(page)).toEqual([])
    await page.clock.runFor(350)
    await page.locator('.sa-ask:not([data-settling])').waitFor()
    await page.mouse.click(x, y)
    expect(await picked(page)).toHaveLength(1)
  })

  it('does not count when options move within the form, and no text field loses its focus', async () => {
    const page = await open('Multiple choice')
    await page.getByRole('textbox').first().focus()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    const { x, y } = await middle(page.locator('.sa-option').nth(1))
    await page.evaluate(() => {
      const image = document.createElement('div')
      image.style.height = '60px'
      document.querySelector('.sa-legend')?.append(image)
    })
    await page.locator('.sa-ask[data-settling]').waitFor()
    await page.keyboard.type('typed all the while')
    expect(await page.getByRole('textbox').first().inputValue()).toBe('typed all the while')
    await page.mouse.click(x, y)
    expect(await picked(page)).toEqual([])
  })

  it.each([0, 250])(
    'does not wait after a person scrolled, where a frame takes %d ms more',
    async (busyMs) => {
      const page = await open('Multiple choice', { viewport: { width: 800, height: 300 } })
      await page.evaluate((ms) => {
        const keepBusy = (): void => {
          const end = performance.now() + ms
          while (performance.now() < end);
          requestAnimationFrame(keepBusy)
        }
        keepBusy()
      }, busyMs)
      await page.mouse.move(400, 150)
      // The wheel scrolls as far as the option is. Playwright would scroll too, which does not count as a person's.
      const distance = Math.round((await middle(page.getByText('Open points'))).y) - 150
      await page.mouse.wheel(0, distance)
      await page.waitForFunction((by) => scrollY >= by, distance)
      expect(await page.locator('.sa-ask').getAttribute('data-settling')).toBeNull()
      await page.getByText('Open points').click()
      expect(await page.evaluate(() => scrollY)).toBe(distance)
      expect(await picked(page)).toEqual(['Open points'])
    },
  )

  it('does not count when a finger scrolls', async () => {
    const page = await open('Multiple choice', {
      viewport: { width: 360, height: 400 },
      hasTouch: true,
      isMobile: true,
    })
    const devtools = await page.context().newCDPSession(page)
    const { x, y } = await middle(page.locator('.sa-option').first())
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', by = 0): Promise<unknown> =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x, y: y - by }],
      })
    await touch('touchStart')
    for (const by of [10, 30, 60, 90]) await touch('touchMove', by)
    await touch('touchEnd')
    await page.waitForFunction(() => scrollY > 0)
    expect(await picked(page)).toEqual([])
    await press(page.getByText('Open points'), 'tap')
    expect(await picked(page)).toEqual(['Open points'])
  })

  it.each([
    ['below its option', 600],
    ['beside the options', 800],
  ])('counts on a preview %s, unless text in it is selected', async (_, width) => {
    const page = await open('Previews', { viewport: { width, height: 1000 } })
    const preview = page.getByRole('figure', { name: 'Preview: At the top' })
    const { x, y } = await middle(preview.locator('code'))
    await page.mouse.move(x - 60, y)
    await page.mouse.down()
    await page.mouse.move(x, y, { steps: 5 })
    await page.mouse.up()
    expect(await selected(page)).not.toBe('')
    expect(await picked(page)).toEqual([])
    await press(preview)
    const isPicked = page.locator('.sa-option[data-checked], .sa-summary').filter({ hasText: 'At the top' })
    await isPicked.first().waitFor()
  })

  it('counts when an assistive tool makes it', async () => {
    const page = await open('Multiple choice')
    await page
      .locator('.sa-option input')
      .first()
      .evaluate((input) => (input as HTMLInputElement).click())
    await page.getByText('Open points').dispatchEvent('click', { detail: 1 })
    expect(await picked(page)).toEqual(['Summary', 'Open points'])
  })
})
