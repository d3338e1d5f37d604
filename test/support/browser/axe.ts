import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { drawn } from './drawn.ts'

/** The rules that depend on colours: they run in every look. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
/** The rules that depend on where things are: they run at every width and size of text. */
const SIZE_RULES = ['target-size', 'scrollable-region-focusable']

/**
 * What axe finds on the page as it is: the rule, and where it is broken.
 *
 * @param rules default all of them
 */
export async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  await drawn(page)
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
        // axe leaves this one out unless it is asked for.
        rules: { 'target-size': { enabled: true } },
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
const TEXTS = ['100%', '200%']
const LOOKS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const

/**
 * What axe finds on the page in all 18 looks, and what is wider than its place: at each width, with text of normal and of
 * double size, light, dark and in forced colours. Rules that no look changes run once for each width. It leaves the page
 * light and wide, with normal text.
 *
 * @param places what must not be wider than it seems, beside the page itself
 */
export async function faultsInEveryLook(page: Page, places: readonly string[] = []): Promise<string[]> {
  const faults: string[] = []
  for (const text of TEXTS) {
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), text)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const size = `${width} px, ${text}`
      for (const [index, look] of LOOKS.entries()) {
        await page.emulateMedia({ ...look, reducedMotion: 'reduce' })
        const sizeRules = text === '100%' ? undefined : [...COLOUR_RULES, ...SIZE_RULES]
        const found = await axeFaults(page, index === 0 ? sizeRules : COLOUR_RULES)
        faults.push(...found.map((fault) => `${size}, ${Object.values(look)}: ${fault}`))
      }
      faults.push(...(await tooWide(page, places)).map((what) => `${size}: too wide: ${what}`))
    }
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ ...LOOKS[0] })
  return faults
}

/** What can be scrolled sideways, and what stands out of it there. */
function tooWide(page: Page, places: readonly string[]): Promise<string[]> {
  return page.evaluate((places) => {
    const all = ['html', ...places].flatMap((place) => [...document.querySelectorAll(place)])
    return all
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((place) => {
        const { right } = place.getBoundingClientRect()
        const wide = [...place.querySelectorAll('*')].filter(
          (element) => element.getBoundingClientRect().right > right,
        )
        const names = wide.slice(0, 5).map(({ tagName, className }) => `${tagName}.${className}`)
        return `${place.tagName}.${place.className}, ${place.scrollWidth} px: ${names.join(' ')}`
      })
  }, places)
}
