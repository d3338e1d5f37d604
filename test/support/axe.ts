import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules that look at colours: all that another colour scheme can break. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds on the page as it is: the rule, and where it is broken.
 *
 * @param rules default all of them
 */
export async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source)
    await page.evaluate(tellForcedColors)
  }
  const { violations } = await page.evaluate(
    (values) =>
      (window as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ['violations'],
        // Frames with previews run no scripts, so axe cannot look into them.
        iframes: false,
        ...(values && { runOnly: { type: 'rule', values: [...values] } }),
      }),
    rules,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/**
 * Where colours are forced, Chromium forces `color`, but reports the fill colour of texts as the page has set it. axe reads
 * the fill colour, so it gets `color` there.
 */
function tellForcedColors(): void {
  const { prototype } = CSSStyleDeclaration
  const { getPropertyValue } = prototype
  prototype.getPropertyValue = function (name) {
    const isForced = name === '-webkit-text-fill-color' && matchMedia('(forced-colors: active)').matches
    return getPropertyValue.call(this, isForced ? 'color' : name)
  }
}

const WIDTHS = [1280, 768, 320]
const LOOKS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const

/**
 * What axe finds on the page at each width, with text of normal and of double size, light, dark and in forced colours,
 * and where it is wider than the window. It leaves the page light and wide, with normal text.
 */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const text of ['100%', '200%']) {
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), text)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const size = `${width} px, ${text}`
      for (const [index, look] of LOOKS.entries()) {
        await page.emulateMedia({ ...look, reducedMotion: 'reduce' })
        const found = await axeFaults(page, index === 0 ? undefined : COLOUR_RULES)
        faults.push(...found.map((fault) => `${size}, ${Object.values(look)}: ${fault}`))
      }
      faults.push(...(await tooWide(page)).map((what) => `${size}: too wide: ${what}`))
    }
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ ...LOOKS[0] })
  return faults
}

/** What axe finds on the page wide and narrow, light and dark, and where it is wider than the window. */
export async function faultsInFourLooks(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const found = await axeFaults(page, colorScheme === 'dark' ? COLOUR_RULES : undefined)
      faults.push(...found.map((fault) => `${width} px, ${colorScheme}: ${fault}`))
    }
    faults.push(...(await tooWide(page)).map((what) => `${width} px: too wide: ${what}`))
  }
  return faults
}

/** What stands out of the window on the right, if the page can be scrolled there. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth,
    )
    return [
      `${scrollWidth} px`,
      ...wide.slice(0, 5).map((element) => `${element.tagName}.${element.className}`),
    ]
  })
}
