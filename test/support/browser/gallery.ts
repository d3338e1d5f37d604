import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { sharedDemo } from '../servers/demo-server.ts'
import { faultsInEveryLook } from './axe.ts'
import { sharedChromium } from './chromium.ts'

/** The kinds of question in the gallery: those on small pages, and those on large ones, which take axe as long in all. */
export const SHORT_KINDS = [
  'Single choice',
  'Multiple choice',
  'Typed answer',
  'Files',
  'Files in steps',
  'Several questions',
  'All at once',
  'Previews with images',
  'HTML previews',
  'Long texts',
  'Right to left',
  'Permission',
  'Permission for an edit',
  'Call to edit',
  'Permission for a plan',
  'Permission for more',
]
export const LONG_KINDS = [
  'Many questions',
  'Previews',
  'Markdown',
  'A long question',
  'Fifty options',
  'Numbers and dates',
]

/** Opens a kind of question in the gallery, once every state is as it stays. */
export async function openGallery(
  page: Page,
  address: string,
  kind: string,
  looks: Record<string, string> = {},
): Promise<void> {
  await page.goto(`${address}/gallery?${new URLSearchParams({ kind, ...looks })}`)
  await page.locator('[data-entry=Waiting] .sa-fields:enabled').waitFor()
  // What is acted out has ended where it leads to.
  for (const [entry, status] of /^(Permission|Call to edit)/.test(kind) ? [] : Object.entries(END)) {
    await page.locator(`[data-entry="${entry}"] [data-status=${status}]`).waitFor()
  }
  if (kind === 'HTML previews') await page.locator('[data-entry=Review] iframe[srcdoc]').first().waitFor()
  for (const list of kind === 'Permission for more' ? await page.locator('.sa-scopes summary').all() : [])
    await list.click()
  if (kind === 'Markdown') await page.locator('[data-entry=Review] table').waitFor()
  if (kind === 'Previews') await page.locator('[data-entry=Review] .sa-preview table').waitFor()
}

/** Tests for these kinds of question, each in all of its states. They take long, so that several files share the kinds. */
export function testEveryLook(kinds: readonly string[]): void {
  const browser = sharedChromium()
  const demo = sharedDemo()
  it.each(kinds)(
    'has no fault that axe knows of and fits, in every look, and gives fingers room: %s',
    async (kind) => {
      const page = await browser().newPage({ viewport: { width: 1280, height: 800 } })
      const faults: string[] = []
      // The gallery stores no files: it cannot show one.
      const isFaulty = (text: string): boolean => kind !== 'Files' || !text.includes('503')
      page.on('console', (message) => {
        if (message.type() === 'error' && isFaulty(message.text())) faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(String(error)))
      await openGallery(page, demo().url, kind)
      expect(await faultsInEveryLook(page)).toEqual([])
      expect(await tooSmallForFingers(page)).toEqual([])
      expect(faults).toEqual([])
      await page.close()
    },
    600_000,
  )
}

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
