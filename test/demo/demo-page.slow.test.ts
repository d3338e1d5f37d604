import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { declineQuestion, LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { press } from '@sandagent/testing/playwright'
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { type DemoPage, demoIn } from '../support/browser/demo-page.ts'
import { answerFile, asked, askedIn, exists, questionFile } from '../support/question-files.ts'
import { type DemoServer, startDemo } from '../support/servers/demo-server.ts'

describe.skipIf(!chromiumPath)('the demo in a browser', () => {
  const browser = sharedChromium()
  let demo: DemoServer
  let page: Page
  let tab: DemoPage
  let faults: string[]

  beforeEach(async () => {
    demo = await startDemo()
    page = await browser().newPage()
    tab = demoIn(page)
    faults = []
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(demo.url)
  })
  afterEach(async () => {
    expect(faults).toEqual([])
    await page.close()
    expect(await demo.close()).toBe(0)
  })

  /** In the moment that it appears, the form takes nothing. */
  const takesEntries = (field: Locator) => field.and(page.locator(':enabled')).waitFor()
  const fileText = (path: string) => readFile(join(demo.workdir, path), 'utf8')

  it('shows what keeps the agent in its folder', async () => {
    const { level, reason } = await new LocalSandbox({ workdir: demo.workdir }).activeIsolation()
    const section = page.getByRole('region', { name: `Isolation ${level}` })
    expect(await section.textContent()).toContain(reason)
  })

  it('keeps what was typed through a reload, also where the host could not be reached', async () => {
    const api = /\/api\/answer/
    await tab.begin()
    const own = page.getByRole('textbox', { name: /^Type your own answer/ })
    await takesEntries(own)
    await page.route(api, (route) => route.abort())
    await own.fill('A game')
    await tab.status(0, 'What you entered is kept here')
    await page.unroute(api)
    await page.reload()
    await tab.status(0, 'Draft saved')
    expect(await own.inputValue()).toBe('A game')
    expect(faults.splice(0).filter((fault) => !fault.includes('net::ERR_FAILED'))).toEqual([])
  })

  it('is answered by mouse, and the files on disk match the answers', async () => {
    await tab.begin()
    await press(tab.radio('Web server'))
    await tab.status(0, 'Received by the agent')
    await press(tab.box('README, with usage'))
    await press(tab.box('Licence file'))
    await tab.toGreeting()
    await tab.greeting().fill('Ahoi, "friend"')
    await tab.send()
    await tab.allow()
    await tab.done()
    await tab.status(1, 'Received by the agent')

    expect(await fileText('greeter/greeting.js')).toContain('const words = "Ahoi, \\"friend\\""')
    expect(await fileText('greeter/server.js')).toContain('createServer')
    expect(await exists(demo.workdir, 'greeter/README.md')).toBe(true)
    expect(await exists(demo.workdir, 'greeter/LICENSE')).toBe(true)
    expect(await exists(demo.workdir, 'greeter/greeting.test.js')).toBe(false)
    await page.locator('.rich-text').getByText('Ahoi, "friend", world!').waitFor()

    const [first, second] = await askedIn(demo.workdir)
    expect(await answerFile(demo.workdir, first as string)).toMatchObject({
      answers: { 'What kind of project should I create?': 'Web server' },
      status: 'completed',
    })
    expect(await answerFile(demo.workdir, second as string)).toMatchObject({
      answers: {
        'What should come with it?': '"README, with usage", Licence file',
        'How should it greet people?': 'Ahoi, "friend"',
      },
      status: 'completed',
    })
    expect(await questionFile(demo.workdir, second as string)).toMatchObject({ state: 'answered' })
  })

  it('shows the files, what travelled, and how long the answer took', async () => {
    await tab.begin()
    await press(tab.radio('Command-line tool'))
    await tab.toGreeting()
    await tab.greeting().fill('Hi')
    await tab.send()
    await tab.allow()
    await tab.done()
    const sandbox = page.getByRole('region', { name: 'Sandbox', exact: true })
    await press(sandbox.getByRole('button', { name: /greeter\/cli\.js/ }))
    await sandbox.getByText('#!/usr/bin/env node').waitFor()
    const id = (await askedIn(demo.workdir)).at(-1)
    await sandbox.getByText(`.sandagent/questions/${id}.json`).waitFor()
    await sandbox.getByText(`.sandagent/approvals/${id}.json`).waitFor()
    await sandbox.getByText('"status": "completed"').waitFor()
    await sandbox.getByText(/^\d+\.\d ms$/).waitFor()
  })

  it('is answered by keyboard alone, and arrow keys send nothing', async () => {
    const { keyboard } = page
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses++) {
        await keyboard.press('Tab')
        if ((await focusedName(page)) === name) return
      }
      throw new Error(`No Tab leads to ${name}`)
    }
    await page.getByRole('button', { name: /^Create a small project/ }).waitFor()
    await tabTo('Create a small project that greets people →')
    await keyboard.press('Enter')
    await takesEntries(tab.radio('Command-line tool'))
    await tabTo('Command-line tool')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await tab.status(0, 'Draft saved')
    const first = await asked(demo.workdir, 1)
    expect(await tab.radio('Web page').isChecked()).toBe(true)
    expect(await answerFile(demo.workdir, first)).toMatchObject({ status: 'pending' })
    await keyboard.press('Enter')
    await tab.status(0, 'Received by the agent')

    await takesEntries(tab.box('Tests'))
    await tabTo('Tests')
    await keyboard.press('Space')
    await tabTo('Next')
    await keyboard.press('Enter')
    await keyboard.type('Moin')
    await keyboard.press('Enter')
    await page.getByRole('group', { name: 'Check your answers' }).waitFor()
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Deny' }).and(page.locator(':enabled')).waitFor()
    await tabTo('Allow for this session')
    await keyboard.press('Enter')
    await tab.done()
    expect(await fileText('greeter/index.html')).toContain('Moin')
    expect(await exists(demo.workdir, 'greeter/greeting.test.js')).toBe(true)
  })

  it('keeps in sight what is new, on a small screen too', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    const isInSight = (text: string) =>
      vi.waitFor(async () => {
        const [top, bottom, from, to] = await page
          .locator('.messages')
          .getByText(text)
          .last()
          .evaluate((element) => {
            const { top, bottom } = element.getBoundingClientRect()
            const place = element.closest('.messages')?.getBoundingClientRect()
            return [top, bottom, place?.top ?? 0, place?.bottom ?? 0] as const
          })
        expect([top >= from, bottom <= to]).toEqual([true, true])
      })
    await tab.begin()
    await page.locator('.sa-preview code').last().waitFor()
    await isInSight('What kind of project should I create?')
    await press(tab.radio('Command-line tool'))
    await isInSight('What should come with it?')
    await press(tab.box('Tests'))
    await tab.toGreeting()
    await isInSight('How should it greet people?')
    await tab.greeting().fill('Hi')
    await tab.send()
    await tab.allow()
    await tab.done()
    await isInSight('Everything is in the folder')
  })

  it('asks all the same where an answer came before the question, which nobody could sign for it', async () => {
    await tab.begin()
    await tab.radio('Web page').waitFor()
    const second = (await asked(demo.workdir, 1)).replace(/-2$/, '-4')
    await submitAnswer(new LocalSandbox({ workdir: demo.workdir }), {
      toolCallId: second,
      questions: [
        {
          id: 'extras',
          question: 'What should come with it?',
          multiSelect: true,
          options: [{ label: 'Tests' }],
        },
        { id: 'greeting', question: 'How should it greet people?' },
      ],
      answers: { 'What should come with it?': 'Tests', 'How should it greet people?': 'Servus' },
    })
    await press(tab.radio('Web page'))
    await press(tab.box('Licence file'))
    await tab.toGreeting()
    await tab.greeting().fill('Moin')
    await tab.send()
    await tab.allow()
    await tab.done()
    await tab.status(1, 'Received by the agent')
    expect(await fileText('greeter/greeting.js')).toContain('const words = "Moin"')
    expect(await exists(demo.workdir, 'greeter/greeting.test.js')).toBe(false)
  })

  it('lets the person decline, after asking whether to leave out what was entered', async () => {
    await tab.begin()
    await takesEntries(tab.radio('Web page'))
    await tab.radio('Web page').focus()
    await page.keyboard.press('Space')
    await tab.status(0, 'Draft saved')
    await press(page.getByRole('button', { name: 'Decline' }))
    await page.getByRole('group', { name: /leave out what you entered/ }).waitFor()
    await press(page.getByRole('button', { name: 'Keep answering' }))
    expect(await tab.radio('Web page').isChecked()).toBe(true)
    await press(page.getByRole('button', { name: 'Decline' }))
    await page.getByRole('textbox', { name: 'Why, if you want to say' }).fill('Too early')
    await press(page.getByRole('button', { name: 'Decline' }))

    await page.getByText('I will leave it there').waitFor()
    await tab.status(0, 'Declined')
    const id = await asked(demo.workdir, 1)
    expect(await questionFile(demo.workdir, id)).toMatchObject({
      state: 'declined',
      responses: {},
      reason: 'Too early',
    })
    expect(await answerFile(demo.workdir, id)).toMatchObject({ status: 'declined', answers: {} })
    expect(await exists(demo.workdir, 'greeter')).toBe(false)
  })

  it('shows that a question was declined or answered elsewhere', async () => {
    const sandbox = new LocalSandbox({ workdir: demo.workdir })
    await tab.begin()
    await tab.radio('Web page').waitFor()
    await submitAnswer(sandbox, {
      toolCallId: await asked(demo.workdir, 1),
      responses: { kind: picked('Web page') },
    })
    await tab.status(0, 'Received by the agent')
    await tab.toGreeting()
    await tab.greeting().fill('Hello')
    await tab.status(1, 'Draft saved')
    await declineQuestion(sandbox, { toolCallId: await asked(demo.workdir, 2), reason: 'Not now' })
    await tab.status(1, 'Declined')
    await page.getByText('I keep it plain').waitFor()
    await tab.allow()
    await tab.done()
  })

  it('refuses a wrong answer with a message, and goes on waiting', async () => {
    await tab.begin()
    await press(tab.radio('Web page'))
    await tab.box('Tests').waitFor()
    const toolCallId = await asked(demo.workdir, 2)
    const refused = await page.request.post(`${demo.url}/api/answer`, {
      data: { toolCallId, status: 'completed', responses: { extras: picked('A pony') } },
    })
    expect(refused.status()).toBe(400)
    const { success, error } = await refused.json()
    expect({ success, code: error.code }).toEqual({ success: false, code: 'INVALID_ANSWERS' })
    expect(error.message).toContain('one of "Tests", "README, with usage", "Licence file"')
    expect(error.faults.map(({ path }: { path: string }) => path)).toEqual([
      'responses.extras.selected.0',
      'responses.greeting',
    ])
    expect(await questionFile(demo.workdir, toolCallId)).toMatchObject({ state: 'open' })

    await tab.review()
    await page.getByText('1 question still needs an answer.').waitFor()
    await press(page.getByRole('button', { name: 'Change: How should it greet people?' }))
    await tab.greeting().fill('Hello')
    await tab.send()
    await tab.allow()
    await tab.done()
  })

  it('keeps the answer when the host cannot be reached, and sends it by itself', async () => {
    await tab.begin()
    await tab.radio('Web page').waitFor()
    const api = /\/api\/answer/
    await page.route(api, (route) => route.abort())
    await press(tab.radio('Web page'))
    await page.keyboard.press('Enter')
    await tab.status(0, 'Not sent yet, trying again')
    expect(await tab.radio('Web page').isChecked()).toBe(true)
    await page.unroute(api)
    await tab.status(0, 'Received by the agent')
    // Chromium reports the failed requests on its console.
    expect(faults.splice(0).filter((fault) => !fault.includes('net::ERR_FAILED'))).toEqual([])
  })

  it('ends the agent when it is stopped, and says that the question is over', async () => {
    await tab.begin()
    await tab.radio('Web page').waitFor()
    const id = await asked(demo.workdir, 1)
    await press(page.getByRole('button', { name: 'Stop' }))
    await vi.waitFor(async () =>
      expect(await questionFile(demo.workdir, id)).toMatchObject({ state: 'aborted' }),
    )
    await tab.status(0, 'The agent withdrew the question')
    expect(await tab.radio('Web page').count()).toBe(0)
  })
})

const picked = (label: string) => ({ selected: [label], source: 'human' as const })

/** What a screen reader would call the element with the focus. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    const labelledBy = element?.getAttribute('aria-labelledby')
    const label = labelledBy ? document.getElementById(labelledBy) : element
    return (element?.getAttribute('aria-label') ?? label?.textContent ?? '').trim()
  })
