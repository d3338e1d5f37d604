import { describe, expect, it } from 'vitest'
import { axeFaults, COLOUR_RULES } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { LONG_KINDS, openGallery, SHORT_KINDS, testEveryLook } from '../support/browser/gallery.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

describe.skipIf(!chromiumPath)('the form in every state', () => {
  testEveryLook(SHORT_KINDS)
})

describe.skipIf(!chromiumPath)('the gallery', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  it('shows each of the kinds that are tried, and no other', async () => {
    const page = await browser().newPage()
    await openGallery(page, demo().url, 'Single choice')
    const kinds = await page
      .getByRole('navigation', { name: 'Kinds of question' })
      .getByRole('link')
      .allTextContents()
    expect(kinds.sort()).toEqual([...SHORT_KINDS, ...LONG_KINDS].sort())
    await page.close()
  })

  it.each([
    ['Light', 'light'],
    ['Dark', 'dark'],
    ['shadcn', 'light'],
    ['shadcn, dark', 'dark'],
  ] as const)(
    'is readable in each direction and with more contrast: %s',
    async (theme, colorScheme) => {
      const page = await browser().newPage({ colorScheme, reducedMotion: 'reduce' })
      for (const kind of ['Several questions', 'Permission'])
        for (const dir of ['ltr', 'rtl']) {
          await openGallery(page, demo().url, kind, { theme, dir })
          for (const contrast of ['no-preference', 'more'] as const) {
            await page.emulateMedia({ contrast })
            const faults = await axeFaults(page, COLOUR_RULES)
            expect(faults, `${kind}, ${dir}, contrast: ${contrast}`).toEqual([])
          }
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
        }
      await page.close()
    },
    600_000,
  )
})
