import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { picked } from '@sandagent/fixtures/questions.ts'
import { createInbox } from '@sandagent/inbox'
import { submitAnswer } from '@sandagent/sdk'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { press } from '@sandagent/testing/playwright'
import { describe, expect, it } from 'vitest'
import { axeFaults, COLOUR_RULES } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openStrictly } from '../support/browser/strict-page.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

/** A folder in which two questions are asked, its inbox, and what makes answer links. */
async function served() {
  const { sandbox, channel } = await createWorkspace()
  for (const id of ['toolu_1', 'toolu_2']) await channel.open(openRecord(id))
  const id = sandbox.workdir
  const server = await startInbox(['--workdir', id])
  const link = (toolCallId: string, clock = {}) =>
    createInbox({ sandboxes: [{ id, name: 'shop', sandbox }], ...clock }).answerLink(id, {
      toolCallId,
      page: `${server.origin}/answer`,
      answeredBy: 'Ada',
    })
  return { sandbox, link, server }
}

describe.skipIf(!chromiumPath)('the page of an answer link', () => {
  const browser = sharedChromium()

  it('answers one question once, without a sign-in, and fits a phone, light and dark', async () => {
    const { sandbox, link } = await served()
    const address = await link('toolu_1')
    const page = await openStrictly(browser(), address, { width: 360 })
    await page.locator('.sa-fields:enabled').waitFor()
    const faults = await axeFaults(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    faults.push(...(await axeFaults(page, COLOUR_RULES)))
    expect(faults).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await press(page.getByLabel('B', { exact: true }))
    // Sends it at once, if it has not been sent by itself.
    await page.keyboard.press('Enter')
    await page.getByText('Your answer is stored.').waitFor()
    const answer = await readFile(join(sandbox.workdir, '.sandagent/approvals/toolu_1.json'), 'utf8')
    expect(JSON.parse(answer)).toMatchObject({
      answeredBy: 'Ada',
      responses: { q1: { selected: ['B'] } },
    })
    await page.reload()
    await page.getByText('This question has its answer. A link answers once.').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
  })

  it('says why a link does not count, and when somebody else has answered', async () => {
    const { sandbox, link, server } = await served()
    const page = await openStrictly(browser(), await link('toolu_2', { clock: createFakeClock() }))
    await page.getByText('This link is too old.').waitFor()
    await page.goto(`${server.origin}/answer#toolCallId=toolu_2`)
    await page.getByText('A part of this link is missing.').waitFor()
    const [address, token = ''] = (await link('toolu_1')).split('&token=')
    await page.goto(`${address?.replace('toolu_1', 'toolu_2')}&token=${token}`)
    await page.getByText('This link does not count.').waitFor()
    await page.goto(`${address}&token=${token}`)
    await page.locator('.sa-fields:enabled').waitFor()
    await submitAnswer(sandbox, {
      toolCallId: 'toolu_1',
      responses: { q1: picked('A') },
      status: 'completed',
    })
    await page.getByText('This question has its answer.').waitFor()
  })
})
