import { press } from '@sandagent/testing/playwright'
import { describe, expect, it } from 'vitest'
import { axeFaults } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openGallery } from '../support/browser/gallery.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

describe.skipIf(!chromiumPath)('the field of asking back', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  it('stands alone, has no fault that axe knows of, and fits on a phone', async () => {
    const page = await browser().newPage({ viewport: { width: 360, height: 740 } })
    await openGallery(page, demo().url, 'Single choice')
    const entry = page.locator('[data-entry="Asking back"]')
    await entry.getByText('For the roof.').waitFor()
    await press(entry.getByRole('button', { name: 'Chat about this' }))
    const field = entry.getByRole('textbox', { name: 'What you want to know' })
    await field.fill('How long does it last?')
    expect(await entry.getByRole('button', { name: 'Decline' }).isVisible()).toBe(false)
    expect(await entry.locator('.sa-ask').evaluate((card) => card.scrollWidth <= card.clientWidth)).toBe(true)
    expect(await axeFaults(page)).toEqual([])
    if (process.env.SCREENSHOTS) await entry.screenshot({ path: `${process.env.SCREENSHOTS}/ask-back.png` })
    await field.press('Escape')
    expect(await entry.getByRole('button', { name: 'Decline' }).isVisible()).toBe(true)
    if (process.env.SCREENSHOTS) await entry.screenshot({ path: `${process.env.SCREENSHOTS}/thread.png` })
    await page.close()
  })
})
