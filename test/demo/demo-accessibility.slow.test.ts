import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { axeFaults } from '../support/axe.ts'
import { chromiumPath, sharedChromium } from '../support/chromium.ts'
import { type DemoServer, startDemo } from '../support/demo-server.ts'

describe.skipIf(!chromiumPath)('the demo for everybody', () => {
  const browser = sharedChromium()
  let demo: DemoServer
  beforeEach(async () => {
    demo = await startDemo()
  })
  afterEach(async () => {
    await demo.close()
  })

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no fault that axe knows of, and fits: %s, %i px wide', async (colorScheme, width) => {
    const page = await browser().newPage({ colorScheme, viewport: { width, height: 800 } })
    await page.goto(demo.url)
    await page.getByRole('heading', { name: 'An agent that asks' }).waitFor()
    expect(await axeFaults(page)).toEqual([])

    await page.getByRole('button', { name: /Create a small project/ }).click()
    await page.getByRole('radio', { name: 'Web page' }).waitFor()
    expect(await axeFaults(page)).toEqual([])

    await page.getByRole('radio', { name: 'Web page' }).click()
    await page.getByRole('checkbox', { name: 'Tests' }).check()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('1 question still needs an answer.').waitFor()
    expect(await axeFaults(page)).toEqual([])

    await page.getByRole('button', { name: 'Change: How should it greet people?' }).click()
    await page.getByRole('textbox', { name: 'How should it greet people?' }).fill('Hello')
    await page.getByRole('button', { name: 'Review' }).last().click()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Allow for this session' }).click()
    await page.getByText('Everything is in the folder').waitFor()
    expect(await axeFaults(page)).toEqual([])

    if (width < 900) await page.getByRole('button', { name: 'Sandbox' }).click()
    await page
      .getByRole('region', { name: 'Sandbox', exact: true })
      .getByText(/\d ms$/)
      .waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await page.close()
  })
})
