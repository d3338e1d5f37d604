import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseQuestions } from '@sandagent/core'
import { openRecord } from '@sandagent/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { rewriteQuestion } from '../support/inbox/decisions.ts'
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
    return { page, answers, workdir: sandbox.workdir }
  }
  const ready = (page: Page, title: string): Promise<void> =>
    page.locator('.sa-ask:not([data-settling])', { hasText: title }).locator('.sa-fields:enabled').waitFor()

  const press = async (page: Page, ...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }

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

  it('hit no question that takes the place of another under the person’s fingers', async () => {
    const { page, answers, workdir } = await inFirst()
    await press(page, 'Escape')
    await page.locator('.entries [aria-current]:focus').waitFor()
    // The page presses a key as soon as it shows the other words.
    await page.evaluate(() => {
      const look = (): void => {
        if (document.querySelector('.question .sa-ask')?.textContent?.includes('Wipe the disk'))
          for (const key of ['1', '2', 'd', 's'])
            (document.activeElement ?? document).dispatchEvent(
              new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
            )
        else requestAnimationFrame(look)
      }
      look()
    })
    await rewriteQuestion(workdir, 'toolu_0', (text) =>
      text.replaceAll('First: which', 'Wipe the disk? Which'),
    )
    await ready(page, 'Wipe the disk')
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Not now 0' }).count()).toBe(1)
    expect(await answers()).toEqual([])

    // An answer to the words before is refused, and said so.
    await page.locator('.question .sa-ask:not([data-settling])').waitFor()
    await press(page, '1')
    await page.getByText(/^Sending to \S+: Left$/).waitFor()
    await rewriteQuestion(workdir, 'toolu_0', (text) =>
      text.replaceAll('Wipe the disk? Which', 'Once more: which'),
    )
    await page.getByText(/^Not sent to \S+: Left\. The question has changed/).waitFor()
    await ready(page, 'Second')
    expect((await answers()).filter((answer) => (answer as { status: string }).status !== 'pending')).toEqual(
      [],
    )
  })

  it('are followed by what a screen reader is told, each thing once', async () => {
    const { page } = await inFirst()
    await page.evaluate(() => {
      const told: string[] = []
      const last = new Map<Element, string>()
      const note = (): void => {
        for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live=polite]')) {
          const text = region.textContent?.trim() ?? ''
          if (text !== '' && last.get(region) !== text) told.push(text)
          last.set(region, text)
        }
      }
      note()
      told.length = 0
      new MutationObserver(note).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      })
      Object.assign(window, { told })
    })
    await press(page, '2')
    await ready(page, 'Second')
    await press(page, 'z')
    await ready(page, 'First')
    await press(page, 's')
    await ready(page, 'Second')
    const told = await page.evaluate(() => (window as unknown as { told: string[] }).told)
    const plain = told.map((text) => text.replace(/\/\S+:/, 'FOLDER:').replace(/at .*\d.*$/, 'at TIME'))
    expect(plain).toMatchInlineSnapshot(`
      [
        "On its way to the agent",
        "Sending to FOLDER: Right",
        "The agent waits for you",
        "The agent asks: Second: which way?",
        "Not sent to FOLDER: Right",
        "Draft saved · 1 of 1 answered",
        "The agent asks: First: which way?",
        "Not now: it comes back at TIME",
        "The agent waits for you",
        "The agent asks: Second: which way?",
      ]
    `)
  })
})
