import { press } from '@sandagent/testing/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { axeFaults, COLOUR_RULES } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

/** Gives the form its own colours back, in the place of the gallery's. */
const OWN_COLOURS = ['ink', 'quiet', 'line', 'edge', 'surface', 'sunken', 'good', 'bad', 'mono']
  .concat(['accent', 'accent-ink', 'accent-soft'])
  .map((name) => `--sa-${name}: initial;`)
  .join(' ')

describe.skipIf(!chromiumPath)('the looks of the form', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  const open = async (
    kind: string,
    { width = 800, colorScheme = 'light' as 'light' | 'dark', state = 'Waiting' } = {},
  ): Promise<Page> => {
    const context = await browser().newContext({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${demo().url}/gallery?${new URLSearchParams({ kind, state })}`)
    await page.locator('.sa-fields:enabled').waitFor()
    return page
  }

  describe.each([
    ['as they are', async (_: Page) => {}],
    ['without the features of newer browsers', forgetNewerStyles],
  ])('%s', (_, prepare) => {
    it.each([
      ['light', 'the colours of a page', ''],
      ['dark', 'the colours of a page', ''],
      ['light', 'colours of their own', OWN_COLOURS],
      // Without color-mix(), the own colours are light.
      ...(prepare === forgetNewerStyles ? [] : [['dark', 'colours of their own', OWN_COLOURS] as const]),
    ] as const)('in %s and %s show edges at 3:1, one focus ring, and readable text', async (...given) => {
      const [colorScheme, , colours] = given
      const page = await open('Several questions', { colorScheme })
      if (colours) await page.addStyleTag({ content: `:root { ${colours} }` })
      await prepare(page)
      for (const part of ['.sa-option', '.sa-input', '.sa-button.sa-plain', '.sa-chip'])
        expect(await edgeContrast(page, part), part).toBeGreaterThanOrEqual(3)
      await page.locator('.sa-option input').first().focus()
      await page.keyboard.press('ArrowDown')
      const rings = await page
        .locator('.sa-option:focus-within, .sa-option input:focus')
        .evaluateAll((all) => all.map((element) => getComputedStyle(element).outlineStyle))
      expect(rings.toSorted()).toEqual(['none', 'solid'])
      expect(await axeFaults(page, COLOUR_RULES)).toEqual([])
    })
  })

  it.each(['Several questions', 'Many questions', 'Previews', 'Permission', 'Multiple choice'])(
    'fit into 320 px with text of double size: %s',
    async (kind) => {
      for (const state of ['Waiting', 'Draft saved', 'In the last minute', 'Declining'].slice(
        0,
        kind === 'Permission' ? 3 : 4,
      )) {
        const page = await open(kind, { width: 320, state })
        await page.addStyleTag({ content: 'html { font-size: 200% }' })
        const tooWide = await page
          .locator('.sa-ask, .sa-ask :is(button, select, textarea, .sa-option, p)')
          .evaluateAll((all) =>
            all
              .filter((element) => element.getBoundingClientRect().right > 320)
              .map((element) => element.className),
          )
        expect(tooWide, state).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      }
    },
  )

  it('leave the answers in the review readable at 320 px with text of double size', async () => {
    const page = await open('Several questions', { width: 320, state: 'Review' })
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    const widths = await page
      .locator('.sa-review dt, .sa-review dd:not(.sa-change)')
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().width))
    expect(widths.length).toBeGreaterThan(2)
    expect(Math.min(...widths)).toBeGreaterThan(160)
  })

  it.each([320, 768, 1280])('fit into the demo with text of double size: %i px', async (width) => {
    const page = await browser().newPage({ viewport: { width, height: 900 } })
    onTestFinished(() => page.close())
    await page.goto(demo().url)
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    const button = page.getByRole('button', { name: /Create a small project/ })
    // The tests share a demo: the first one begins.
    await button.or(page.locator('.sa-ask')).first().waitFor()
    if (await button.count()) await press(button)
    await page.locator('.sa-fields:enabled').waitFor()
    const form = await page.locator('.sa-ask').boundingBox()
    expect(form?.width).toBeGreaterThan(width / 3)
    expect((form?.x ?? 0) + (form?.width ?? 0)).toBeLessThanOrEqual(width)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })

  it('let a text field grow where the browser does not do that itself', async () => {
    const context = await browser().newContext()
    onTestFinished(() => context.close())
    await context.addInitScript(() => {
      const { supports } = CSS
      CSS.supports = (...given: unknown[]) =>
        given[0] !== 'field-sizing' && (supports as (...all: unknown[]) => boolean).apply(CSS, given)
    })
    const page = await context.newPage()
    await page.goto(`${demo().url}/gallery?kind=Typed+answer&state=Waiting`)
    await page.locator('.sa-fields:enabled').waitFor()
    await page.addStyleTag({ content: '.sa-ask textarea { field-sizing: fixed }' })
    const field = page.getByRole('textbox').first()
    const height = (): Promise<number> => field.evaluate((element) => element.clientHeight)
    const before = await height()
    await field.pressSequentially('a line that is much too long for one line of this field '.repeat(6))
    expect(await height()).toBeGreaterThan(before * 2)
    expect(await field.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
    await field.fill('')
    expect(await height()).toBe(before)
  })
})

/** Takes away what browsers of 2022 do not understand. */
async function forgetNewerStyles(page: Page): Promise<void> {
  await page.evaluate(() => {
    const newer = /color-mix\(|field-sizing|container-type/
    const forget = (sheet: { cssRules: CSSRuleList; deleteRule(index: number): void }): void => {
      for (let index = sheet.cssRules.length - 1; index >= 0; index--) {
        const rule = sheet.cssRules[index]
        if (
          rule instanceof CSSContainerRule ||
          (rule instanceof CSSSupportsRule && /color-mix|:has/.test(rule.conditionText)) ||
          (rule instanceof CSSStyleRule && rule.selectorText.includes(':has('))
        )
          sheet.deleteRule(index)
        if (rule instanceof CSSStyleRule)
          for (const name of [...rule.style])
            if (newer.test(`${name}: ${rule.style.getPropertyValue(name)}`)) rule.style.removeProperty(name)
        if (rule instanceof CSSMediaRule) forget(rule)
      }
    }
    for (const sheet of document.styleSheets) forget(sheet)
  })
}

/** The contrast between the edge of an element and what is behind the form. */
const edgeContrast = (page: Page, selector: string): Promise<number> =>
  page.evaluate((chosen) => {
    const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    const element = [...document.querySelectorAll(chosen)].find(
      (one) => !one.matches('[data-checked], [aria-current]'),
    ) as Element
    const luminance = (colours: string[]): number => {
      for (const colour of colours) {
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
      }
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) =>
        part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = getComputedStyle(document.querySelector('.sa-ask') as Element).backgroundColor
    const [light = 0, dark = 0] = [
      luminance([behind]),
      luminance([behind, getComputedStyle(element).borderTopColor]),
    ].sort((one, other) => other - one)
    return (light + 0.05) / (dark + 0.05)
  }, selector)
