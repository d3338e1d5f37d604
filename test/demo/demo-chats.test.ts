import { press } from '@sandagent/testing/playwright'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chromiumPath } from '../support/browser/chromium.ts'
import { demoForEach } from '../support/browser/demo-for-each.ts'
import { type DemoPage, openDemo } from '../support/browser/demo-page.ts'

describe.skipIf(!chromiumPath)('several chats', () => {
  const own = demoForEach()
  let page: Page
  let tab: DemoPage

  beforeEach(async () => {
    tab = await openDemo(own.context, own.demo.url)
    page = tab.page
  })

  const chats = () => page.getByRole('navigation', { name: 'Chats' })
  const marks = (text: string) => chats().getByRole('link').filter({ hasText: text })

  it('have a state each, which a reload and a server that was killed leave alone', async () => {
    await tab.begin()
    await press(tab.radio('Web page'))
    await press(tab.box('Tests'))
    await tab.status(1, 'Draft saved')
    await marks('waits for you').waitFor()

    await press(chats().getByRole('button', { name: 'New chat' }))
    await page.getByRole('heading', { name: 'An agent that asks' }).waitFor()
    await tab.begin()
    await tab.status(0, 'The agent waits for you')
    await marks('waits for you').nth(1).waitFor()
    expect(await tab.answers(0)).toEqual([])

    await page.reload()
    await tab.status(0, 'The agent waits for you')
    await own.demo.kill()
    await own.restart()
    await page.reload()
    // By key: what moves on a page that has just been loaded makes a click count for nothing.
    await tab.radio('Web server').and(page.locator(':enabled')).press('Enter')
    await tab.status(0, 'Received by the agent')

    // The only link is the open chat until the page has the list of chats.
    await press(chats().getByRole('link').nth(1))
    await tab.status(1, 'Draft saved')
    expect(await tab.answers(0)).toEqual(['Web page'])
    expect(await tab.box('Tests').isChecked()).toBe(true)
    await page.goBack()
    await tab.status(1, 'The agent waits for you')
    expect(await tab.answers(0)).toEqual(['Web server'])
  })

  it('go on while another one is open, and their marks go when nothing waits', async () => {
    await tab.begin()
    await tab.status(0, 'The agent waits for you')
    await press(chats().getByRole('button', { name: 'New chat' }))
    await page.getByRole('heading', { name: 'An agent that asks' }).waitFor()
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Another one')
    await press(page.getByRole('button', { name: 'Send', exact: true }))
    await tab.status(0, 'The agent waits for you')
    await press(page.getByRole('button', { name: 'Stop' }))
    await page.getByText('You stopped the agent').waitFor()
    await chats()
      .getByRole('link', { name: /^Another one/ })
      .and(page.locator('[aria-current=page]'))
      .waitFor()
    await marks('waits for you')
      .and(chats().getByRole('link', { name: /^Create/ }))
      .waitFor()
    await vi.waitFor(async () => expect(await marks('waits for you').count()).toBe(1))
  })

  it('are one pane of three where there is no room', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    await tab.begin()
    await tab.status(0, 'The agent waits for you')
    await press(page.getByRole('button', { name: 'Chats' }))
    await press(page.getByRole('button', { name: 'New chat' }))
    await page.getByRole('heading', { name: 'An agent that asks' }).waitFor()
    await press(page.getByRole('button', { name: 'Chats' }))
    await press(marks('waits for you'))
    await tab.status(0, 'The agent waits for you')
  })
})
