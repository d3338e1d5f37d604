import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { axeFaults, COLOUR_RULES } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { drawn } from '../support/browser/drawn.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { answersIn, askCommand, askQuestion, rewriteQuestion } from '../support/inbox/decisions.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

const LONG = Array.from({ length: 120 }, (_, n) => `echo ${n}`).join('\n')

describe.skipIf(!chromiumPath)('several approvals of one tool', () => {
  const browser = sharedChromium()

  /** Four commands, the third one long, and a question. The first one is shown. */
  async function withFour() {
    const { sandbox, channel } = await createWorkspace()
    for (const [n, command] of ['npm test', 'npm run build', LONG, 'git push'].entries())
      await askCommand(channel, `toolu_${n}`, n, command)
    await askQuestion(channel, 'toolu_9', 9, 'Which way?')
    const { link } = await startInbox(['--workdir', sandbox.workdir])
    const page = await openInbox(browser(), link)
    await page.locator('.sa-fields:enabled').waitFor()
    const allow = page.locator('.batch-footer [data-decision=allowOnce]')
    return { page, allow, workdir: sandbox.workdir }
  }
  const press = async (page: Page, ...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }

  it('are decided together once each was read, and what changes meanwhile is left out', async () => {
    const { page, allow, workdir } = await withFour()
    await page.getByText('echo 0 ⏎ echo 1 ⏎ echo 2').waitFor()
    await press(page, 'x', 'j', 'x', 'j', 'j', 'X')
    await page.getByRole('article', { name: '4 calls of Bash' }).waitFor()
    await page.getByRole('button', { name: 'Deny these 4 calls', disabled: false }).waitFor()
    expect(await allow.isDisabled()).toBe(true)
    const faults = await axeFaults(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect([...faults, ...(await axeFaults(page, COLOUR_RULES))]).toEqual([])

    // A jump to the end skips the long one.
    const calls = page.locator('.batch-calls')
    await calls.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.getByText('Read on: 1 of 4 not seen to the end.').waitFor()
    expect(await allow.isDisabled()).toBe(true)
    await calls.evaluate((element) => element.scrollTo(0, 0))
    for (let pages = 0; await allow.isDisabled(); pages++) {
      expect(pages).toBeLessThan(30)
      await press(page, 'a')
      await drawn(page)
    }

    // The last call becomes another one while its button has the focus.
    await press(page, 'a')
    await allow.and(page.locator(':focus')).waitFor()
    await rewriteQuestion(workdir, 'toolu_3', (text) => text.replace('git push', 'rm -rf /'))
    await page.getByText('1 left out: changed, or waits no more.').waitFor()
    await page.getByRole('button', { name: 'Allow these 3 calls', disabled: false }).waitFor()
    await press(page, 'a', 'Enter')
    await page.getByText(/^Sending to \S+: Allow once · 3 calls of Bash$/).waitFor()
    // What is left is asked next, and everybody counts the same.
    await page.locator('.question pre', { hasText: 'rm -rf /' }).waitFor()
    await page.getByRole('link', { name: 'Open 2' }).waitFor()
    await page.getByText(/^2 questions wait for you, the oldest for/).waitFor()
    expect(await page.title()).toBe('(2) Inbox')
    await vi.waitFor(async () =>
      expect(Object.keys(await answersIn(workdir)).sort()).toEqual(['toolu_0', 'toolu_1', 'toolu_2']),
    )
    const answers = Object.values(await answersIn(workdir))
    for (const key of ['questionDigest', 'signature'])
      expect(new Set(answers.map((answer) => answer[key])).size, key).toBe(3)
    for (const answer of answers)
      expect(answer).toMatchObject({ responses: { permission: { selected: ['allow-once'] } } })
  })

  it('are taken back together, and only approvals are selected', async () => {
    const { page, workdir } = await withFour()
    await press(page, 'x', 'j', 'x')
    await page.getByRole('button', { name: 'Deny these 2 calls', disabled: false }).waitFor()
    await press(page, 'd', 'Enter')
    await page.getByText(/^Sending to \S+: Deny · 2 calls of Bash$/).waitFor()
    await press(page, 'z')
    await page.getByText(/^Not sent to \S+: Deny · 2 calls of Bash$/).waitFor()
    await page.getByRole('link', { name: 'Open 5' }).waitFor()
    await page.getByRole('link', { name: /Which way/ }).click()
    await page.locator('.sa-ask', { hasText: 'Which way?' }).locator('.sa-fields:enabled').waitFor()
    await press(page, 'x')
    await page.getByText('Only approvals are decided together').waitFor()
    expect(await answersIn(workdir)).toEqual({})
  })
})
