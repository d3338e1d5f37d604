import type { Policy } from '@sandagent/sdk'
import { press } from '@sandagent/testing/playwright'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { askOnPage, type QuestionPage } from '../support/engines/question-page.ts'

/** A host that knows people and their roles by a cookie. */
const authorize = ({ headers }: Request) => {
  const [, answeredBy, role] = /user=(\w+)\.(\w+)/.exec(headers.get('cookie') ?? '') ?? []
  return answeredBy !== undefined && role !== undefined && { answeredBy, roles: [role] }
}
const policy: Policy = [{ roles: ['lead'], votes: 2 }]

describe.skipIf(!chromiumPath)('a policy in the form', () => {
  const browser = sharedChromium()

  async function openAs(name: string, role: string, { url }: QuestionPage): Promise<Page> {
    const context = await browser().newContext({ viewport: { width: 760, height: 900 } })
    onTestFinished(() => context.close())
    await context.addCookies([{ name: 'user', value: `${name}.${role}`, url }])
    const page = await context.newPage()
    await page.goto(url)
    return page
  }
  const ready = (page: Page): Promise<void> => page.locator('.sa-fields:enabled').waitFor()
  const status = (page: Page, text: string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor()
  const statusOf = (page: Page): Promise<string | null> => page.locator('.sa-ask').getAttribute('data-status')
  const own = (page: Page): Locator => page.getByRole('textbox', { name: /^Type your own answer/ })

  it('lets two leads agree: the first has voted, may change that, and the second one’s answer counts', async () => {
    const asked = await askOnPage('Single choice', { authorize, policy })
    const ada = await openAs('Ada', 'lead', asked)
    const ben = await openAs('Ben', 'lead', asked)
    await Promise.all([ready(ada), ready(ben)])
    await status(ada, '2 people must give the same answer')

    await own(ada).fill('a poem')
    await own(ada).press('Enter')
    await status(ada, 'Your vote is stored2 people must give the same answer; 1 has voted')
    expect(await statusOf(ada)).toBe('voted')
    expect(await ada.title()).not.toMatch(/\(\d\)/)
    const hers = ben.getByRole('region', { name: 'Ada has voted', exact: true })
    await hers.getByText('a poem').waitFor()

    await ada.reload()
    await status(ada, 'Your vote is stored')
    await press(ada.getByRole('button', { name: 'Change' }))
    await ready(ada)
    expect(await own(ada).inputValue()).toBe('a poem')
    await own(ada).fill('a song')
    await own(ada).press('Enter')
    await status(ada, 'Your vote is stored')

    await hers.getByText('a song').waitFor()
    await press(hers.getByRole('button', { name: 'Take over: Ada' }))
    await own(ben).press('Enter')
    expect(await asked.outcome).toMatchObject({
      kind: 'answered',
      answeredBy: 'Ben',
      voters: ['Ada', 'Ben'],
      responses: { format: { freeText: 'a song' } },
    })
    for (const page of [ada, ben]) await status(page, 'Received by the agentAnswered by Ada, Ben')
  })

  it('shows a permission to somebody who may not give it, and how many have voted', async () => {
    const asked = await askOnPage('Permission', { authorize, policy })
    const ada = await openAs('Ada', 'lead', asked)
    const eve = await openAs('Eve', 'guest', asked)
    await ready(ada)
    await status(eve, 'Only a person with the role lead may answer this')
    expect(await statusOf(eve)).toBe('not-allowed')
    expect(await eve.getByRole('button').count()).toBe(0)
    await press(ada.getByRole('button', { name: 'Allow once' }))
    await status(ada, 'Your vote is stored')
    await eve.getByText('1 has voted').waitFor()
    expect(await eve.getByText(/Ada/).count()).toBe(0)

    const ben = await openAs('Ben', 'lead', asked)
    await ready(ben)
    await press(ben.getByRole('button', { name: 'Deny' }))
    await status(ben, 'Received by the agent')
    await status(eve, 'Ben answered')
    expect(await asked.outcome).toMatchObject({ responses: { permission: { selected: ['deny'] } } })
  })
})
