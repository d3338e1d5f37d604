import { press } from '@sandagent/testing/playwright'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { askOnPage, type QuestionPage } from '../support/engines/question-page.ts'

/** A host that knows people by a cookie. */
const authorize = ({ headers }: Request) => {
  const answeredBy = /user=(\w+)/.exec(headers.get('cookie') ?? '')?.[1]
  return answeredBy !== undefined && { answeredBy }
}

describe.skipIf(!chromiumPath)('two people in two browsers', () => {
  const browser = sharedChromium()

  /** Opens a page in a browser of its own, signed in by this name, if any. */
  async function openAs(name: string | null, { url }: QuestionPage): Promise<Page> {
    const context: BrowserContext = await browser().newContext({
      viewport: { width: 760, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    onTestFinished(() => context.close())
    if (name !== null) await context.addCookies([{ name: 'user', value: name, url }])
    const page = await context.newPage()
    await page.goto(url)
    await page.locator('.sa-fields:enabled').waitFor()
    return page
  }
  const other = (page: Page, name: string | RegExp): Locator =>
    page.getByRole('region', { name, exact: true })
  /** Some seconds after the last key, a person only has the question open. */
  const typing = (name: string): RegExp => new RegExp(`^${name} (is answering|has this open)$`)
  const radio = (page: Page, name: string): Locator => page.getByRole('radio', { name })
  const status = (page: Page, text: string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor()
  const own = (page: Page): Locator => page.getByRole('textbox', { name: /^Type your own answer/ })

  it('see each other, and each other’s drafts beside their own, and the first answer counts', async () => {
    const asked = await askOnPage('Single choice', { authorize })
    const ada = await openAs('Ada', asked)
    const ben = await openAs('Ben', asked)
    await other(ada, 'Ben has this open').waitFor()
    await other(ben, 'Ada has this open').waitFor()

    await own(ada).fill('a poem')
    await other(ben, typing('Ada')).getByText('a poem').waitFor()
    await own(ben).fill('a song')
    await other(ada, typing('Ben')).getByText('a song').waitFor()
    expect(await own(ada).inputValue()).toBe('a poem')
    expect(await own(ben).inputValue()).toBe('a song')

    await own(ada).press('Enter')
    await status(ada, 'Received by the agent')
    expect(await asked.outcome).toMatchObject({
      kind: 'answered',
      answeredBy: 'Ada',
      responses: { format: { selected: [], freeText: 'a poem' } },
    })
    await status(ben, 'Ada answered first at')
    const form = ben.locator('.sa-ask')
    expect(await form.getAttribute('data-status')).toBe('superseded')
    expect(await form.textContent()).not.toMatch(/Received|✓/)
    expect(await ben.title()).not.toMatch(/\(\d\)/)
    await ben.getByText('a song').waitFor()
    await press(ben.getByRole('button', { name: 'Copy' }))
    await ben.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await ben.evaluate(() => navigator.clipboard.readText())).toContain('a song')
  })

  it('take over each other’s drafts by one click, and send them as their own', async () => {
    const asked = await askOnPage('Several questions', { authorize })
    const ada = await openAs('Ada', asked)
    const ben = await openAs('Ben', asked)
    await press(radio(ada, 'HTML'))
    await press(ada.getByRole('checkbox', { name: 'Summary' }))
    const hers = ben.getByRole('region', { name: /^Ada/ })
    await hers.getByText('Summary').waitFor()
    expect(await radio(ben, 'HTML').isChecked()).toBe(false)
    await press(hers.getByRole('button', { name: 'Take over: Ada' }))
    expect(await radio(ben, 'HTML').isChecked()).toBe(true)
    await ada.getByRole('region', { name: /^Ben/ }).getByText('Summary').waitFor()

    expect(await radio(ben, 'HTML').evaluate((input) => input === document.activeElement)).toBe(true)
    await press(ben.getByRole('button', { name: 'Review' }).first())
    await press(ben.getByRole('button', { name: /^Send/ }))
    expect(await asked.outcome).toMatchObject({
      answeredBy: 'Ben',
      responses: { format: { selected: ['HTML'] }, sections: { selected: ['Summary'] } },
    })
    await status(ada, 'Ben answered first at')
  })

  it('who send at the same time: the page of one says that the other was first', async () => {
    const asked = await askOnPage('Single choice', { authorize })
    const ada = await openAs('Ada', asked)
    const ben = await openAs('Ben', asked)
    await own(ada).fill('a poem')
    await own(ben).fill('a song')
    // Each presses Enter in the page, because a form that shows the other answer already has no text field.
    await Promise.all([ada.keyboard.press('Enter'), ben.keyboard.press('Enter')])
    const { answeredBy } = (await asked.outcome) as { answeredBy?: string }
    const [winner, loser] = answeredBy === 'Ada' ? [ada, ben] : [ben, ada]
    await status(winner, 'Received by the agent')
    await status(loser, `${answeredBy} answered first at`)
    await loser.getByText(answeredBy === 'Ada' ? 'a song' : 'a poem').waitFor()
  })

  it('without names are somebody else to each other, and one person in two tabs of a browser', async () => {
    const asked = await askOnPage('Single choice')
    const first = await openAs(null, asked)
    const stranger = await openAs(null, asked)
    await own(first).fill('a poem')
    await other(stranger, typing('Somebody else')).getByText('a poem').waitFor()
    expect(await own(stranger).inputValue()).toBe('')
    const second = await first.context().newPage()
    await second.goto(asked.url)
    await second.locator('.sa-fields:enabled').waitFor()
    await expect.poll(() => own(second).inputValue()).toBe('a poem')
    await other(second, 'Somebody else has this open').waitFor()
    expect(await second.getByRole('region', { name: /is answering/ }).count()).toBe(0)
  })

  it('see nothing of each other if one may not answer', async () => {
    const asked = await askOnPage('Single choice', { authorize })
    const ada = await openAs('Ada', asked)
    const stranger = await openAs(null, asked)
    await own(ada).fill('a poem')
    await status(ada, 'Draft saved')
    expect(await stranger.locator('.sa-other').count()).toBe(0)
    expect(await stranger.locator('body').textContent()).not.toContain('a poem')
    expect(await ada.locator('.sa-other').count()).toBe(0)
  })
})
