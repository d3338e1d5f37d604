import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/chromium.ts'
import { openDemo } from '../support/demo-page.ts'
import { type DemoServer, startDemo } from '../support/demo-server.ts'
import { askedIn, questionFile } from '../support/question-files.ts'
import { ended, runnerPid } from '../support/runner-process.ts'

describe.skipIf(!chromiumPath)('a crash in the middle of a question', () => {
  const browser = sharedChromium()
  let context: BrowserContext
  let demo: DemoServer

  beforeEach(async () => {
    demo = await startDemo()
    context = await browser().newContext()
  })
  afterEach(async () => {
    await context.close()
    await demo.close()
  })

  const fileText = (path: string) => readFile(join(demo.workdir, path), 'utf8')

  it('of the web server is survived: the draft is there, and the same runner gets the answer', async () => {
    const tab = await openDemo(context, demo.url)
    await tab.begin()
    await tab.radio('Web page').click()
    await tab.box('Tests').check()
    await tab.toGreeting()
    await tab.greeting().fill('Ahoi')
    await tab.status(1, 'Draft saved')
    const pid = await runnerPid(demo.workdir)

    await demo.kill()
    await tab.page.getByText('The connection is lost, the agent goes on').waitFor()
    demo = await startDemo(Number(new URL(demo.url).port), demo)
    // The page finds the agent again by itself; a reloaded one does, too.
    await tab.page.getByText('The connection is lost').waitFor({ state: 'detached' })
    await tab.status(1, 'Draft saved')
    await tab.page.reload()
    await tab.status(1, 'Draft saved')
    expect(await tab.answers(0)).toEqual(['Web page'])
    expect(await tab.box('Tests').isChecked()).toBe(true)
    await tab.toGreeting()
    expect(await tab.greeting().inputValue()).toBe('Ahoi')

    await tab.greeting().fill('Ahoi!')
    await tab.send()
    await tab.allow()
    await tab.done()
    expect(await fileText('greeter/index.html')).toContain('Ahoi!')
    expect(await runnerPid(demo.workdir)).toBe(pid)
    await ended(demo.workdir, { state: 'finished', attempt: 1 })
    await tab.page.reload()
    await tab.done()
  })

  it.each([
    ['and the question, still open, is not asked twice', false],
    ['and the answer that was given meanwhile counts', true],
  ])('of the runner is survived: it is started again, %s', async (_, isAnsweredMeanwhile) => {
    const tab = await openDemo(context, demo.url)
    await tab.begin()
    await tab.status(0, 'The agent waits for you')
    const [first] = await askedIn(demo.workdir)
    const { nonce } = await questionFile(demo.workdir, first as string)

    process.kill(await runnerPid(demo.workdir), 'SIGKILL')
    await tab.page.getByText('The agent ended before it was done').waitFor()
    await tab.status(0, 'The agent is gone')
    if (isAnsweredMeanwhile) {
      await tab.radio('Web server').click()
      await tab.status(0, 'Kept. The agent takes it up when it is started again')
    }
    await tab.page.getByRole('button', { name: 'Start it again' }).click()
    if (!isAnsweredMeanwhile) {
      await tab.status(0, 'The agent waits for you')
      await tab.radio('Web server').click()
    }
    await tab.status(0, 'Received by the agent')
    await tab.toGreeting()
    await tab.greeting().fill('Hi')
    await tab.send()
    await tab.allow()
    await tab.done()

    // Two questions and an approval.
    expect(await askedIn(demo.workdir)).toHaveLength(3)
    expect(await questionFile(demo.workdir, first as string)).toMatchObject({ nonce, state: 'answered' })
    expect(await fileText('greeter/server.js')).toContain('createServer')
    await ended(demo.workdir, { state: 'finished', attempt: 2 })
    expect(await tab.page.getByRole('article', { name: 'Agent' }).count()).toBe(1)
  })
})
