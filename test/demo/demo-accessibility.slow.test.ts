import { press } from '@sandagent/testing/playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultsInEveryLook } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { type DemoServer, startDemo } from '../support/servers/demo-server.ts'

/** What is scrolled by itself. */
const PANES = ['.messages', '.sandbox', '.chats', '.questions']

describe.skipIf(!chromiumPath)('the demo for everybody', () => {
  const browser = sharedChromium()
  let demo: DemoServer
  beforeEach(async () => {
    demo = await startDemo()
  })
  afterEach(async () => {
    await demo.close()
  })

  it('has no fault that axe knows of, and fits, in each of its steps and in every look', async () => {
    const page = await browser().newPage({ colorScheme: 'light', reducedMotion: 'reduce' })
    const steps: Record<string, string[]> = {}
    const check = async (step: string): Promise<void> => {
      steps[step] = await faultsInEveryLook(page, PANES)
    }
    await page.goto(demo.url)
    await page.getByRole('heading', { name: 'An agent that asks' }).waitFor()
    await check('welcome')

    await press(page.getByRole('button', { name: /Create a small project/ }))
    await page.getByRole('radio', { name: 'Web page' }).and(page.locator(':enabled')).waitFor()
    await check('question')
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('A page of mine')
    await page.getByRole('button', { name: 'Answer with this text' }).waitFor()
    await check('answer in the composer')

    await press(page.getByRole('button', { name: 'Answer with this text' }))
    await press(page.getByRole('checkbox', { name: 'Tests' }))
    await press(page.getByRole('button', { name: 'Review' }))
    await page.getByText('1 question still needs an answer.').waitFor()
    await check('review')

    await press(page.getByRole('button', { name: 'Change: How should it greet people?' }))
    await page.getByRole('textbox', { name: 'How should it greet people?' }).fill('Hello')
    await press(page.getByRole('button', { name: 'Review' }).last())
    await press(page.getByRole('button', { name: 'Send answer' }))
    await page.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).waitFor()
    await check('approval')

    await page.locator('.messages').evaluate((messages) => {
      messages.dispatchEvent(new WheelEvent('wheel'))
      messages.scrollTop = 0
    })
    await page.getByRole('button', { name: 'The agent waits for your answer' }).waitFor()
    await check('banner')

    await press(page.getByRole('button', { name: 'Allow for this session' }))
    await page.getByText('Everything is in the folder').waitFor()
    await check('done')

    await page.setViewportSize({ width: 320, height: 800 })
    await press(page.getByRole('button', { name: 'Chats', exact: true }))
    await page.getByRole('searchbox', { name: 'Search questions' }).waitFor()
    await check('chats')
    await page.setViewportSize({ width: 320, height: 800 })
    await press(page.getByRole('button', { name: 'Sandbox', exact: true }))
    await page
      .getByRole('region', { name: 'Sandbox', exact: true })
      .getByText(/\d ms$/)
      .waitFor()
    await check('sandbox')
    await page.close()
    expect(Object.values(steps).flat(), JSON.stringify(steps, null, 2)).toEqual([])
  }, 600_000)
})
