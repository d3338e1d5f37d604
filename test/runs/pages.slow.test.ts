import { press } from '@sandagent/testing/playwright'
import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../support/browser/chromium.ts'
import { demoForEach } from '../support/browser/demo-for-each.ts'
import { type DemoPage, openDemo } from '../support/browser/demo-page.ts'
import { answerFile, askedIn, questionFile } from '../support/question-files.ts'
import { ended, runnerPid } from '../support/runner-process.ts'

describe.skipIf(!chromiumPath)('the pages of one chat', () => {
  const own = demoForEach()

  const open = (width?: number): Promise<DemoPage> => openDemo(own.context, own.demo.url, width)

  it('may all be closed: the agent waits, and the next page shows what was entered', async () => {
    const first = await open()
    await first.begin()
    await press(first.radio('Web page'))
    await first.toGreeting()
    await first.greeting().fill('Moin')
    await first.status(1, 'Draft saved')
    const pid = await runnerPid(own.demo.workdir)
    await first.page.close()

    const second = await open()
    await second.status(1, 'Draft saved')
    await second.toGreeting()
    expect(await second.greeting().inputValue()).toBe('Moin')
    await second.send()
    await second.allow()
    await second.done()
    expect(await runnerPid(own.demo.workdir)).toBe(pid)
    await ended(own.demo.workdir, { state: 'finished', attempt: 1 })
  })

  it('agree on one answer: two tabs and a phone', async () => {
    const left = await open()
    const right = await open()
    const phone = await open(360)
    const pages = [left, right, phone]
    await left.begin()
    // Pages that were open already notice what another one began.
    for (const tab of pages) await tab.radio('Web server').waitFor()

    await press(phone.radio('Web server'))
    for (const tab of pages) await tab.status(0, 'Received by the agent')
    await press(right.box('Tests'))
    await right.status(1, 'Draft saved')
    for (const tab of pages) await tab.page.locator('input[type=checkbox]:checked').waitFor()

    // Two persons press at the same moment: one answer counts, and everybody sees the same one.
    for (const [tab, greeting] of [[left, 'Left'] as const, [phone, 'Phone'] as const]) {
      await tab.toGreeting()
      await tab.greeting().fill(greeting)
      await tab.review()
      await tab.status(1, 'Draft saved')
    }
    const sending = [left, phone].map(({ page }) =>
      page.getByRole('button', { name: 'Send answer' }).elementHandle(),
    )
    // The one that is slower may have heard of the answer. Then its button does nothing any more.
    const buttons = await Promise.all(sending)
    await Promise.all(
      buttons.map((button) => button?.evaluate((element) => (element as HTMLElement).click())),
    )
    await right.allow()
    for (const tab of pages) await tab.done()
    const [first, second] = await askedIn(own.demo.workdir)
    const { answers } = await answerFile(own.demo.workdir, second as string)
    const greeting = (answers as Record<string, string>)['How should it greet people?']
    expect(['Left', 'Phone']).toContain(greeting)
    for (const tab of pages) {
      expect(await tab.answers(0)).toEqual(['Web server'])
      expect(await tab.answers(1)).toEqual(['Tests', greeting])
    }
    expect(await questionFile(own.demo.workdir, first as string)).toMatchObject({
      state: 'answered',
      revision: 2,
    })
    expect(await questionFile(own.demo.workdir, second as string)).toMatchObject({ state: 'answered' })
  })

  it('all show that one of them stopped the agent', async () => {
    const left = await open()
    await left.begin()
    await left.status(0, 'The agent waits for you')
    const right = await open()
    await right.status(0, 'The agent waits for you')
    await press(right.page.getByRole('button', { name: 'Stop' }))
    for (const tab of [left, right]) {
      await tab.status(0, 'The agent withdrew the question')
      await tab.page.getByText('You stopped the agent').waitFor()
      await tab.page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    }
    const [id] = await askedIn(own.demo.workdir)
    expect(await questionFile(own.demo.workdir, id as string)).toMatchObject({ state: 'aborted' })
    await ended(own.demo.workdir, { state: 'stopped' })
  })
})
