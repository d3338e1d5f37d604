import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseQuestions } from '@sandagent/core'
import { openRecord } from '@sandagent/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

describe.skipIf(!chromiumPath)('the keys of the inbox', () => {
  const browser = sharedChromium()

  /** An inbox with two questions. The first one is open, and the focus is in its form. */
  async function inFirst() {
    const { sandbox, channel } = await createWorkspace()
    for (const [index, name] of ['First', 'Second'].entries())
      await channel.open(
        openRecord(`toolu_${index}`, {
          questions: parseQuestions([
            { question: `${name}: which way?`, options: [{ label: 'Left' }, { label: 'Right' }] },
          ]),
          askedAt: new Date(Date.parse('2026-01-01') + index * 1000).toISOString(),
        }),
      )
    const { link } = await startInbox(['--workdir', sandbox.workdir])
    const context = await browser().newContext({ forcedColors: 'active' })
    onTestFinished(() => context.close())
    const page = await openInbox(context, link)
    await page.getByRole('link', { name: 'Open 2' }).waitFor()
    await ready(page, 'First')
    await page.keyboard.press('Enter')
    await page.locator('.sa-ask input[type=radio]:focus').waitFor()
    const folder = join(sandbox.workdir, '.sandagent/approvals')
    const answers = async (): Promise<unknown[]> => {
      const names = (await readdir(folder).catch(() => [])).filter((name) => /^toolu_\d\.json$/.test(name))
      return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
    }
    return { page, answers }
  }
  const ready = (page: Page, title: string): Promise<void> =>
    page.locator('.sa-ask:not([data-settling])', { hasText: title }).locator('.sa-fields:enabled').waitFor()

  it('lead from the form back to the list by Escape, and decline nothing', async () => {
    const { page } = await inFirst()
    await page.keyboard.press('Escape')
    await page.locator('.entries [aria-current]:focus').waitFor()
    expect(await page.getByText('Decline to answer?').count()).toBe(0)
    // Where colours are the person's own, the open entry looks different from the others.
    const outlines = await page
      .locator('.entries a')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).borderTopColor))
    expect(new Set(outlines).size).toBe(2)
  })

  it('send after a pause in which z takes the answer back, also when the next question is there', async () => {
    const { page, answers } = await inFirst()
    await page.keyboard.press('2')
    await page.getByText(/^Sending to \S+: Right$/).waitFor()
    await ready(page, 'Second')
    await page.keyboard.press('z')
    await page.getByText(/^Not sent to \S+: Right$/).waitFor()
    // What was picked is a draft again, and nothing else than that was sent.
    await page
      .locator('.sa-ask', { hasText: 'First' })
      .getByRole('radio', { name: 'Right', checked: true })
      .waitFor()
    await page.getByRole('link', { name: 'Open 2' }).waitFor()
    await vi.waitFor(async () => expect(await answers()).toMatchObject([{ status: 'pending' }]))

    // The same key picks it again. The page sends when it is left, without the pause.
    await ready(page, 'First')
    await page.keyboard.press('2')
    await page.getByText(/^Sending to \S+: Right$/).waitFor()
    await page.goto('about:blank')
    await vi.waitFor(async () =>
      expect(await answers()).toMatchObject([
        { status: 'completed', answers: { 'First: which way?': 'Right' } },
      ]),
    )
  })
})
