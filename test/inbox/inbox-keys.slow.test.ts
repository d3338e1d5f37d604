import { parseQuestions } from '@sandagent/core'
import { openRecord } from '@sandagent/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

describe.skipIf(!chromiumPath)('the keys of the inbox', () => {
  const browser = sharedChromium()

  /** An inbox with two questions. The first one is open, and the focus is in its form. */
  async function inFirst(): Promise<Page> {
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
    await page.keyboard.press('j')
    await ready(page, 'First')
    await page.keyboard.press('Enter')
    await page.locator('.sa-ask input[type=radio]:focus').waitFor()
    return page
  }
  const ready = (page: Page, title: string): Promise<void> =>
    page.locator('.sa-ask:not([data-settling])', { hasText: title }).locator('.sa-fields:enabled').waitFor()

  it('lead from the form back to the list by Escape, and decline nothing', async () => {
    const page = await inFirst()
    await page.keyboard.press('Escape')
    await page.locator('.entries [aria-current]:focus').waitFor()
    expect(await page.getByText('Decline to answer?').count()).toBe(0)
    // Where colours are the person's own, the open entry looks different from the others.
    const outlines = await page
      .locator('.entries a')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).borderTopColor))
    expect(new Set(outlines).size).toBe(2)
  })

  it('do not lead away while an answer can be undone: it is sent in sight, and named', async () => {
    const page = await inFirst()
    await page.keyboard.press('2')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('j')
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Send answer' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sent: Right · First: which way?').waitFor()
  })
})
