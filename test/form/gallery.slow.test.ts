import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { faultsInEveryLook, faultsInFourLooks } from '../support/axe.ts'
import { chromiumPath, sharedChromium } from '../support/chromium.ts'
import { sharedDemo } from '../support/demo-server.ts'

const KINDS = [
  'Single choice',
  'Multiple choice',
  'Typed answer',
  'Several questions',
  'All at once',
  'Many questions',
  'Previews',
  'Markdown',
  'A long question',
  'Previews with images',
  'HTML previews',
  'Fifty options',
  'Long texts',
  'Right to left',
  'Permission',
]

/** Together they have every part of the form. They are tried at each width and size of text, and in forced colours. */
const IN_EVERY_LOOK = ['Several questions', 'Long texts', 'Permission']

describe.skipIf(!chromiumPath)('the form in every state', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  const open = async (page: Page, kind: string): Promise<void> => {
    await page.goto(`${demo().url}/gallery?kind=${encodeURIComponent(kind)}`)
    await page.locator('[data-entry=Waiting] .sa-fields:enabled').waitFor()
    // What is acted out has ended where it leads to.
    for (const [entry, status] of kind === 'Permission' ? [] : Object.entries(END)) {
      await page.locator(`[data-entry="${entry}"] [data-status=${status}]`).waitFor()
    }
    if (kind === 'HTML previews') await page.locator('[data-entry=Review] iframe[srcdoc]').first().waitFor()
    if (kind === 'Markdown') await page.locator('[data-entry=Review] table').waitFor()
    if (kind === 'Previews') await page.locator('[data-entry=Review] .sa-preview table').waitFor()
  }

  it('shows each of the kinds that are tried here, and no other', async () => {
    const page = await browser().newPage()
    await open(page, 'Single choice')
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(KINDS)
    await page.close()
  })

  it.each(KINDS)(
    'has no fault that axe knows of, fits, light and dark, narrow and wide, and gives fingers room: %s',
    async (kind) => {
      const page = await browser().newPage({ viewport: { width: 1280, height: 800 } })
      const faults: string[] = []
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(String(error)))
      await open(page, kind)
      expect(
        await (IN_EVERY_LOOK.includes(kind) ? faultsInEveryLook(page) : faultsInFourLooks(page)),
      ).toEqual([])
      expect(await tooSmallForFingers(page)).toEqual([])
      expect(faults).toEqual([])
      await page.close()
    },
  )
})

/** What is less than 44 pixels high on a small screen that is touched. */
async function tooSmallForFingers(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
  return page
    .locator('.sa-ask :is(button, select, textarea, [type=search], .sa-choice, summary)')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
        .map((element) => `${element.className}: ${element.textContent}`),
    )
}

/** Entries that get where they belong only after a while. */
const END = {
  Sending: 'sending',
  'Not saved': 'failed',
  'Trying again': 'retrying',
  'Not signed in': 'retrying',
  Refused: 'failed',
  Received: 'received',
  Superseded: 'superseded',
}
