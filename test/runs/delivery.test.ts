import { press } from '@sandagent/testing/playwright'
import { describe, expect, it, vi } from 'vitest'
import { chromiumPath } from '../support/browser/chromium.ts'
import { demoForEach } from '../support/browser/demo-for-each.ts'
import { openDemo } from '../support/browser/demo-page.ts'
import { answerFile, askedIn, questionFile } from '../support/question-files.ts'

describe.skipIf(!chromiumPath)('an answer that a person sent', () => {
  const own = demoForEach()

  /** Checks that the agent got this answer, and that it was stored once. */
  const isReceived = async (answer: string): Promise<void> => {
    const [id = ''] = await askedIn(own.demo.workdir)
    const stored = await answerFile(own.demo.workdir, id)
    expect(stored).toMatchObject({
      status: 'completed',
      answers: { 'What kind of project should I create?': answer },
    })
    expect(await questionFile(own.demo.workdir, id)).toMatchObject({
      state: 'answered',
      revision: (stored as { revision?: number }).revision,
    })
  }

  it('arrives once after a dead network and a killed server', async () => {
    const tab = await openDemo(own.context, own.demo.url)
    await tab.begin()
    await tab.status(0, 'The agent waits for you')
    await own.context.setOffline(true)
    await press(tab.radio('Web page'))
    await tab.page.keyboard.press('Enter')
    await tab.status(0, 'Not sent yet, trying again')
    await own.demo.kill()
    await own.context.setOffline(false)
    await press(tab.page.getByRole('button', { name: 'Try now' }))
    await tab.status(0, 'Not sent yet, trying again')
    await own.restart()
    await tab.status(0, 'Received by the agent')
    await isReceived('Web page')
  })

  it('arrives once after its reply was lost and the page was reloaded', async () => {
    const tab = await openDemo(own.context, own.demo.url)
    await tab.begin()
    await tab.status(0, 'The agent waits for you')
    let answers = 0
    await tab.page.route(/\/api\/answer/, async (route) => {
      const isAnswer = route.request().postData()?.includes('"status":"completed"')
      if (!isAnswer) return route.continue()
      answers++
      if (answers === 1) await route.fetch()
      return route.abort()
    })
    await press(tab.radio('Web server'))
    await tab.page.keyboard.press('Enter')
    await vi.waitFor(() => expect(answers).toBeGreaterThan(0))
    await tab.page.unrouteAll({ behavior: 'ignoreErrors' })
    await tab.page.reload()
    await tab.status(0, 'Received by the agent')
    await isReceived('Web server')
  })

  it('is stored when the page is closed while it counts down', async () => {
    const tab = await openDemo(own.context, own.demo.url)
    await tab.begin()
    await tab.status(0, 'The agent waits for you')
    await press(tab.radio('Command-line tool'))
    // On a slow machine the countdown may be over before the test sees it.
    const received = tab.page.getByRole('status').first().filter({ hasText: 'Received by the agent' })
    await tab.page.getByRole('button', { name: 'Undo' }).or(received).first().waitFor()
    await tab.page.close({ runBeforeUnload: true })
    await vi.waitFor(async () => {
      const [id = ''] = await askedIn(own.demo.workdir)
      expect(await questionFile(own.demo.workdir, id)).toMatchObject({ state: 'answered' })
    })
    await isReceived('Command-line tool')
  })
})
