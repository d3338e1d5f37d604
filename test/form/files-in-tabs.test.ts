import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PNG } from '../support/attachments/place.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { askOnPage } from '../support/engines/question-page.ts'

describe.skipIf(!chromiumPath)('files that a person gives in two tabs', () => {
  const browser = sharedChromium()
  const given = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name })
  const choose = (page: Page, name: string): Promise<void> =>
    page
      .locator('input[type=file]:not([capture])')
      .setInputFiles({ name, mimeType: 'image/png', buffer: Buffer.concat([PNG, Buffer.from(name)]) })

  it('are in both, and leave together', async () => {
    const { url, outcome } = await askOnPage('Files')
    const context = await browser().newContext()
    onTestFinished(() => context.close())
    const open = async (): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(url)
      await page.getByRole('button', { name: 'Add files' }).waitFor()
      return page
    }
    const [one, other] = [await open(), await open()]
    await choose(one, 'one.png')
    for (const page of [one, other]) await given(page, 'one.png').locator('img').waitFor()
    await choose(other, 'other.png')
    for (const page of [one, other]) await given(page, 'other.png').locator('img').waitFor()
    await one.getByRole('button', { name: 'Send answer' }).click()
    await other.getByText('Received by the agent').waitFor()
    expect((await outcome).responses.shot).toMatchObject({
      files: [{ name: 'one.png' }, { name: 'other.png' }],
    })
  })
})
