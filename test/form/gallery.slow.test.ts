import { describe, expect, it } from 'vitest'
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
    const kinds = await page.getByRole('navigation').getByRole('link').allTextContents()
    expect(kinds.sort()).toEqual([...SHORT_KINDS, ...LONG_KINDS].sort())
    await page.close()
  })
})
