import { press } from '@sandagent/testing/playwright'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

describe.skipIf(!chromiumPath)('the form', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  const open = async (
    entry: { kind: string; state?: string },
    options: BrowserContextOptions = {},
  ): Promise<Page> => {
    const context = await browser().newContext(options)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${demo().url}/gallery?${new URLSearchParams({ state: 'Waiting', ...entry })}`)
    await page.locator('.sa-ask').waitFor()
    return page
  }
  const isEnabled = (page: Page): Promise<void> => page.locator('.sa-fields:enabled').waitFor()

  it.each([
    [
      'waits',
      'Several questions',
      'Waiting',
      ['Which format should the report have?', 'Fixed pages, made for print.'],
    ],
    ['has fifty options', 'Fifty options', 'Waiting', ['src/module-1/index.ts', 'src/module-50/index.ts']],
    ['is answered', 'Several questions', 'Received', ['HTML', 'Summary', 'Skipped', 'Received by the agent']],
    ['needs a permission', 'Permission', 'Waiting', ['git push origin main # <U+202E>yltsenoh']],
  ])('prints a question that %s in full, without anything to press', async (_, kind, state, texts) => {
    const page = await open({ kind, state })
    // Until the form is as it stays, its parts come one after the other.
    if (state === 'Received') await page.locator('[data-status=received]').waitFor()
    else if (kind !== 'Permission') await isEnabled(page)
    await page.emulateMedia({ media: 'print' })
    for (const text of texts) await page.locator('.sa-ask').getByText(text).first().waitFor()
    await page
      .locator('.sa-ask')
      .locator('button:visible, [type=search]:visible')
      .first()
      .waitFor({ state: 'detached' })
    const cut = await page.locator('.sa-ask *:visible').evaluateAll((all) =>
      all
        .filter((e) => getComputedStyle(e).overflowY !== 'visible' && e.scrollHeight > e.clientHeight + 1)
        .filter((e) => !e.matches('.sa-hidden, textarea'))
        .map((e) => e.className),
    )
    expect(cut).toEqual([])
  })

  it('tells by more than colour what is picked and where the focus is, where colours are forced', async () => {
    const page = await open({ kind: 'Several questions' }, { forcedColors: 'active' })
    await isEnabled(page)
    const looks = (name: string): Promise<string> =>
      page.locator('.sa-option', { has: page.getByRole('radio', { name }) }).evaluate((element) => {
        const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
        return [outlineStyle, outlineWidth, outlineOffset].join(' ')
      })
    const plain = await looks('PDF')
    expect(plain).toContain('none')
    await page.getByRole('radio', { name: 'HTML' }).focus()
    await page.keyboard.press('ArrowDown')
    const focused = await looks('PDF')
    expect(focused).toMatch(/^solid/)
    await page.getByRole('textbox').first().focus()
    const picked = await looks('PDF')
    expect(picked).toMatch(/^solid/)
    expect(new Set([plain, focused, picked]).size).toBe(3)
    expect(await looks('HTML')).toBe(plain)
  })

  it('moves the countdown alone, and in few steps for those who want less motion', async () => {
    for (const [reducedMotion, timing] of [
      ['no-preference', 'linear'],
      ['reduce', 'steps(4)'],
    ] as const) {
      const page = await open({ kind: 'Single choice', state: 'Counting down' }, { reducedMotion })
      await page.locator('.sa-countdown').waitFor({ state: 'attached' })
      const moving = await page.locator('.sa-ask, .sa-ask *').evaluateAll((elements) =>
        elements.flatMap((element) =>
          [undefined, '::before', '::after'].flatMap((pseudo) => {
            const style = getComputedStyle(element, pseudo)
            const moves = style.animationName !== 'none' || Number.parseFloat(style.transitionDuration) > 0
            return moves ? [style.animationTimingFunction] : []
          }),
        ),
      )
      expect(moving, reducedMotion).toEqual([timing])
    }
  })

  it.each(['Waiting', 'Draft saved', 'Review', 'Received', 'Superseded'])(
    'keeps long words, and characters that turn text around, to themselves at 320 px: %s',
    async (state) => {
      const page = await open({ kind: 'Long texts', state }, { viewport: { width: 320, height: 800 } })
      if (state === 'Received' || state === 'Superseded')
        await page.locator(`[data-status=${state.toLowerCase()}]`).waitFor()
      else await isEnabled(page)
      await page.locator('.sa-ask details').evaluateAll((all) => {
        for (const one of all) one.setAttribute('open', '')
      })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      const texts = await page.locator('.sa-ask *').evaluateAll((elements) => {
        const turned = elements.filter((element) =>
          [...element.childNodes].some(
            ({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.includes('\u202e'),
          ),
        )
        // What is inline and not isolated turns its neighbours around; a block ends what was begun in it.
        const spills = (element: Element): boolean => {
          const { display, unicodeBidi } = getComputedStyle(element)
          if (unicodeBidi.includes('isolate') || unicodeBidi === 'plaintext') return false
          const { parentElement } = element
          if (display !== 'inline') return false
          return parentElement === null || spills(parentElement)
        }
        return turned.map((element) => ({ text: element.textContent, spills: spills(element) }))
      })
      expect(texts.length).toBeGreaterThan(0)
      expect(texts.filter(({ spills }) => spills)).toEqual([])
    },
  )

  it('tells of itself in the title and by a notification while the tab is hidden, and takes both back', async () => {
    const context = await browser().newContext()
    onTestFinished(() => context.close())
    // No window here can be hidden, and none can show a notification.
    await context.addInitScript(() => {
      const told: string[] = []
      let visibility = 'visible'
      Object.defineProperty(document, 'visibilityState', { get: () => visibility })
      const look = (next: string): void => {
        visibility = next
        document.dispatchEvent(new Event('visibilitychange'))
      }
      class Told {
        static permission = 'granted'
        constructor(title: string, { body }: NotificationOptions) {
          told.push(`${title}: ${body}`)
        }
        close(): void {
          told.push('closed')
        }
      }
      Object.assign(globalThis, { Notification: Told, told, look })
    })
    const page = await context.newPage()
    await page.goto(
      `${demo().url}/gallery?${new URLSearchParams({ kind: 'Single choice', state: 'Waiting' })}`,
    )
    await isEnabled(page)
    const look = (visibility: string): Promise<void> => page.evaluate(`look('${visibility}')`)
    const told = (): Promise<string[]> => page.evaluate('told')
    const title = await page.title()
    await look('hidden')
    expect(await page.title()).toBe(`(1) ${title}`)
    expect(await told()).toEqual(['The agent asks: Which format should the report have?'])
    await look('visible')
    expect(await page.title()).toBe(title)
    expect(await told()).toHaveLength(2)
    await press(page.getByRole('radio', { name: 'HTML' }))
    await page.getByRole('status').filter({ hasText: 'Sent.' }).waitFor()
    await look('hidden')
    expect(await page.title()).toBe(title)
    expect(await told()).toHaveLength(2)
  })
})
