import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { chromiumPath, sharedChromium } from '../support/chromium.ts'
import { sharedDemo } from '../support/demo-server.ts'

describe.skipIf(!chromiumPath)('the form on a page with a strict policy', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  /** The gallery with the policy that docs/guides/strict-pages.md gives; what the browser refuses is collected. */
  async function open(kind: string, styles = "'self'"): Promise<{ page: Page; refused: string[] }> {
    const guide = await readFile(join(root, 'docs/guides/strict-pages.md'), 'utf8')
    const policy = /^default-src .*$/m.exec(guide)?.[0]
    expect(policy).toBeDefined()
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    const refused: string[] = []
    page.on('console', (message) => {
      const text = message.text()
      const isIcon = text.includes("'data:,'") // of the gallery, not of the form
      if (text.includes('Content Security Policy') && !isIcon) refused.push(text)
    })
    await page.route('**/gallery?*', async (route) => {
      const response = await route.fetch()
      const headers = {
        ...response.headers(),
        'content-security-policy': policy?.replace("style-src 'self'", `style-src ${styles}`) ?? '',
      }
      await route.fulfill({ response, headers })
    })
    await page.goto(`${demo().url}/gallery?${new URLSearchParams({ state: 'Waiting', kind })}`)
    await page.locator('.sa-fields:enabled').waitFor()
    return { page, refused }
  }

  it.each(['Several questions', 'Previews', 'Permission'])('loads all that it needs: %s', async (kind) => {
    const { page, refused } = await open(kind)
    expect(await page.locator('.sa-ask').evaluate((form) => getComputedStyle(form).borderRadius)).not.toBe(
      '0px',
    )
    expect(refused).toEqual([])
  })

  it('shows previews in HTML without their styles, unless the page allows those', async () => {
    const size = (page: Page): Promise<string> =>
      page
        .frameLocator('iframe.sa-preview')
        .first()
        .locator('h1')
        .evaluate((title) => getComputedStyle(title).fontWeight)
    const strict = await open('HTML previews')
    expect(await size(strict.page)).toBe('700')
    expect(strict.refused).not.toEqual([])
    const lenient = await open('HTML previews', "'self' 'unsafe-inline'")
    expect(await size(lenient.page)).toBe('600')
  })
})
