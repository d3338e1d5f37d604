import { approvalIn } from '@sandagent/runner'
import { press } from '@sandagent/testing/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { faultsInEveryLook } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { askOnPage } from '../support/engines/question-page.ts'

describe.skipIf(!chromiumPath)('a call that is edited in a browser', () => {
  const browser = sharedChromium()

  /** Opens the page of the call, once it takes entries. */
  async function open(): Promise<{ page: Page; asked: Awaited<ReturnType<typeof askOnPage>> }> {
    const asked = await askOnPage('Call to edit', {
      signingKeys: null,
      authorize: () => true,
      contentPolicy: "default-src 'self'; img-src data:",
    })
    const page = await browser().newPage({ viewport: { width: 800, height: 900 } })
    await page.goto(asked.url)
    await page.getByRole('button', { name: 'Edit' }).and(page.locator(':enabled')).waitFor()
    return { page, asked }
  }

  it('is edited and allowed by keyboard alone, and runs so', async () => {
    const { page, asked } = await open()
    const { keyboard } = page
    await page.getByRole('button', { name: 'Edit' }).focus()
    await keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'target' }).and(page.locator(':focus')).waitFor()
    await keyboard.press('s')
    await keyboard.press('Tab')
    await page.getByRole('textbox', { name: 'script' }).and(page.locator(':focus')).waitFor()
    await keyboard.press('Control+End')
    await keyboard.press('Enter')
    await keyboard.type('npm test')
    const allow = page.getByRole('button', { name: 'Allow the changed call' })
    for (let tabs = 0; !(await allow.evaluate((button) => button === document.activeElement)); tabs++) {
      expect(tabs).toBeLessThan(12)
      await keyboard.press('Tab')
    }
    await keyboard.press('Enter')
    expect(approvalIn(await asked.outcome).input).toEqual({
      target: 'staging',
      script: 'npm ci\nnpm run deploy\nnpm test',
      retries: 3,
      force: true,
    })
    await page.getByText('Allowed with changes').waitFor()
    expect(asked.refused).toEqual([])
    await page.close()
  })

  it('keeps what was edited through a reload, and restores the call of the agent', async () => {
    const { page, asked } = await open()
    await press(page.getByRole('button', { name: 'Edit' }))
    await page.getByRole('textbox', { name: 'script' }).fill('echo no')
    await page.reload()
    const script = page.getByRole('textbox', { name: 'script' })
    await script.waitFor()
    expect(await script.inputValue()).toBe('echo no')
    await press(page.getByRole('button', { name: 'Cancel' }))
    await press(page.getByRole('button', { name: 'Allow once' }))
    expect(approvalIn(await asked.outcome)).toEqual({ decision: 'allowOnce' })
    await page.close()
  })

  it('can be allowed as it is where the editor does not load', async () => {
    const { page, asked } = await open()
    await page.route(/input-editor|assets/, (route) => route.abort())
    await press(page.getByRole('button', { name: 'Edit' }))
    await page.getByText('The editor did not load.').waitFor()
    await press(page.getByRole('button', { name: 'Cancel' }))
    await press(page.getByRole('button', { name: 'Allow once' }))
    expect(approvalIn(await asked.outcome)).toEqual({ decision: 'allowOnce' })
    await page.close()
  })

  it('has no fault that axe knows of, and fits, in every look', async () => {
    const { page } = await open()
    await press(page.getByRole('button', { name: 'Edit' }))
    await page.getByRole('textbox', { name: 'script' }).fill('npm ci\n'.repeat(3))
    await page.getByRole('spinbutton', { name: 'retries' }).fill('9')
    expect(await faultsInEveryLook(page, [])).toEqual([])
    await page.getByRole('spinbutton', { name: 'retries' }).fill('2')
    expect(await faultsInEveryLook(page, [])).toEqual([])
    await page.close()
  })
})
