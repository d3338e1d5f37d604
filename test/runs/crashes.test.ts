import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { press } from '@sandagent/testing/playwright'
import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../support/browser/chromium.ts'
import { demoForEach } from '../support/browser/demo-for-each.ts'
import { openDemo } from '../support/browser/demo-page.ts'
import { askedIn, questionFile } from '../support/question-files.ts'
import { ended, runnerPid } from '../support/runner-process.ts'

describe.skipIf(!chromiumPath)('a crash in the middle of a question', () => {
  const own = demoForEach()

  const fileText = (path: string) => readFile(join(own.demo.workdir, path), 'utf8')

  it('of the web server is survived: the draft is there, and the same runner gets the answer', async () => {
    const tab = await openDemo(own.context, own.demo.url)
    await tab.begin()
    await press(tab.radio('Web page'))
    await press(tab.box('Tests'))
    await tab.toGreeting()
    await tab.greeting().fill('Ahoi')
    await tab.status(1, 'Draft saved')
    const pid = await runnerPid(own.demo.workdir)

    await own.demo.kill()
    await tab.page.getByText('The connection is lost, the agent goes on').waitFor()
    await own.restart()
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
    expect(await runnerPid(own.demo.workdir)).toBe(pid)
    await ended(own.demo.workdir, { state: 'finished', attempt: 1 })
    await tab.page.reload()
    await tab.done()
  })

  it.each([
    ['and the question, still open, is not asked twice', false],
    ['and the answer that was given meanwhile counts', true],
  ])('of the runner is survived: it is started again, %s', async (_, isAnsweredMeanwhile) => {
    const tab = await openDemo(own.context, own.demo.url)
    await tab.begin()
    await tab.status(0, 'The agent waits for you')
    const [first] = await askedIn(own.demo.workdir)
    const { nonce } = await questionFile(own.demo.workdir, first as string)

    process.kill(await runnerPid(own.demo.workdir), 'SIGKILL')
    await tab.page.getByText('The agent ended before it was done').waitFor()
    await tab.status(0, 'The agent is gone')
    if (isAnsweredMeanwhile) {
      await press(tab.radio('Web server'))
      await tab.status(0, 'Kept. The agent takes it up when it is back')
    }
    await press(tab.page.getByRole('button', { name: 'Start it again' }))
    if (!isAnsweredMeanwhile) {
      await tab.status(0, 'The agent waits for you')
      await press(tab.radio('Web server'))
    }
    await tab.status(0, 'Received by the agent')
    await tab.toGreeting()
    await tab.greeting().fill('Hi')
    await tab.send()
    await tab.allow()
    await tab.done()

    // Two questions and an approval.
    expect(await askedIn(own.demo.workdir)).toHaveLength(3)
    expect(await questionFile(own.demo.workdir, first as string)).toMatchObject({ nonce, state: 'answered' })
    expect(await fileText('greeter/server.js')).toContain('createServer')
    await ended(own.demo.workdir, { state: 'finished', attempt: 2 })
    expect(await tab.page.getByRole('article', { name: 'Agent' }).count()).toBe(1)
  })
})
