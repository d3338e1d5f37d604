import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

describe.skipIf(!chromiumPath)('the form on a page with a strict policy', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  /** The policies of docs/guides/form.md, by the line's number. */
  async function policies(): Promise<string[]> {
    const guide = await readFile(join(root, 'docs/guides/form.md'), 'utf8')
    return [...guide.matchAll(/^default-src .*$/gm)].map(([policy]) => policy)
  }

  /** The gallery with a policy. What the browser refuses is collected. */
  async function open(kind: string, policy: string): Promise<{ page: Page; refused: string[] }> {
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    const refused: string[] = []
    page.on('console', (message) => {
      const text = message.text()
      const isIcon = text.includes("'data:,'") // of the gallery, not of the form
      if (/Content Security Policy|Trusted/.test(text) && !isIcon) refused.push(text)
    })
    page.on('pageerror', (error) => refused.push(String(error)))
    await page.route('**/gallery?*', async (route) => {
      const response = await route.fetch()
      const headers = { ...response.headers(), 'content-security-policy': policy }
      await route.fulfill({ response, headers })
    })
    await page.goto(`${demo().url}/gallery?${new URLSearchParams({ state: 'Waiting', kind })}`)
    await page.locator('.sa-fields:enabled').waitFor()
    return { page, refused }
  }

  const KINDS = ['Several questions', 'Previews', 'Markdown', 'A long question', 'Permission']
  it.each(KINDS)('loads all that it needs under each policy of the guide: %s', async (kind) => {
    const known = await policies()
    expect(known).toHaveLength(3)
    for (const policy of known) {
      const { page, refused } = await open(kind, policy)
      const radius = await page.locator('.sa-ask').evaluate((form) => getComputedStyle(form).borderRadius)
      expect(radius).not.toBe('0px')
      if (kind === 'Markdown') await page.getByText('Two calls take > 90 % of it:').waitFor()
      expect([policy, refused]).toEqual([policy, []])
    }
  })

  const TYPES = "default-src 'self'; require-trusted-types-for 'script'"

  it('shows images of previews where the page allows them, and their alternative text elsewhere', async () => {
    const image = (page: Page) => page.getByRole('img', { name: 'A bar above the text' })
    const allowed = await open('Previews with images', "default-src 'self'; img-src data:")
    expect(await image(allowed.page).evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBe(160)
    expect(allowed.refused).toEqual([])
    const strict = await open('Previews with images', "default-src 'self'")
    await strict.page.getByText('A bar above the text (data:image/png').waitFor()
    expect(await image(strict.page).count()).toBe(0)
  })

  it('shows previews in HTML by its own Trusted Types policy, and their source where that is refused', async () => {
    const { page, refused } = await open(
      'HTML previews',
      `${TYPES}; style-src 'self' 'unsafe-inline'; trusted-types sandagent`,
    )
    await page.frameLocator('iframe.sa-preview').first().getByText('Hello, world!').waitFor()
    expect(refused).toEqual([])
    const other = await open('HTML previews', `${TYPES}; trusted-types other`)
    const figure = other.page.getByRole('figure', { name: 'Preview: Calm' })
    await figure.getByText('This page does not allow HTML. This is the source.').waitFor()
    await figure.getByText('<h1 style="font: 600').waitFor()
    expect(await other.page.locator('iframe').count()).toBe(0)
    expect(await other.page.getByRole('radio', { name: 'Calm' }).isEnabled()).toBe(true)
  })

  it('shows previews in HTML without their styles and says so, unless the page allows those', async () => {
    const size = (page: Page): Promise<string> =>
      page
        .frameLocator('iframe.sa-preview')
        .first()
        .locator('h1')
        .evaluate((title) => getComputedStyle(title).fontWeight)
    const note = 'This page does not allow the styles of this preview.'
    const strict = await open('HTML previews', "default-src 'self'")
    expect(await size(strict.page)).toBe('700')
    expect(await strict.page.getByText(note).count()).toBe(2)
    const lenient = await open('HTML previews', "default-src 'self'; style-src 'self' 'unsafe-inline'")
    expect(await size(lenient.page)).toBe('600')
    expect(await lenient.page.getByText(note).count()).toBe(0)
  })
})
