import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseQuestions } from '@sandagent/core'
import { openRecord } from '@sandagent/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox, openStrictly } from '../support/browser/strict-page.ts'
import { answersIn, askCommand, askQuestion, rewriteQuestion } from '../support/inbox/decisions.ts'
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
    await page.getByText(/^Sending to \S+: Right · First: which way\?$/).waitFor()
    await ready(page, 'Second')
    await page.keyboard.press('z')
    await page.getByText(/^Not sent to \S+: Right · First: which way\?$/).waitFor()
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
    await page.getByText(/^Sending to \S+: Right · First: which way\?$/).waitFor()
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
    await page.getByText(/^Sending to \S+: Left · Wipe the disk\? Which way\?$/).waitFor()
    await rewriteQuestion(workdir, 'toolu_0', (text) =>
      text.replaceAll('Wipe the disk? Which', 'Once more: which'),
    )
    await page
      .getByText(/^Not sent to \S+: Left · Wipe the disk\? Which way\? · The question has changed/)
      .waitFor()
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
        "Sending to FOLDER: Right · First: which way?",
        "The agent waits for you",
        "The agent asks: Second: which way?",
        "Not sent to FOLDER: Right · First: which way?",
        "Draft saved · 1 of 1 answered",
        "The agent asks: First: which way?",
        "Not now: it comes back at TIME",
        "The agent waits for you",
        "The agent asks: Second: which way?",
      ]
    `)
  })

  /** An inbox with approvals of these commands, in two tabs of one browser. */
  async function withCommands(commands: readonly string[]) {
    const { sandbox, channel } = await createWorkspace()
    for (const [n, command] of commands.entries()) await askCommand(channel, `toolu_${n}`, n, command)
    const { link } = await startInbox(['--workdir', sandbox.workdir])
    const context = await browser().newContext()
    onTestFinished(() => context.close())
    const page = await openInbox(context, link)
    const other = await openStrictly(context, page.url())
    for (const tab of [page, other]) await tab.locator('.question .sa-fields:enabled').waitFor()
    return { page, other, channel, workdir: sandbox.workdir }
  }
  const pointed = (page: Page) => page.locator('.question [data-decision]:focus')

  it.each(['a', '2'])('point by %s at what allows only once a long call was read to its end', async (key) => {
    const lines = Array.from({ length: 201 }, (_, n) => `echo ${n}`)
    const { page } = await withCommands([[...lines, 'rm -rf /'].join('\n')])
    // What is dangerous is said in sight, above the call.
    const [risks, call] = [page.locator('.question .sa-risks'), page.locator('.question .sa-main pre')]
    const tops = [await risks.boundingBox(), await call.boundingBox()].map((box) => box?.y ?? 0)
    expect(tops).toEqual([...tops].sort((a, b) => a - b))

    const screens = [await linesInSight(page, 202)]
    // A jump to the end skips what is before.
    await page.locator('.question').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight))
    while ((await pointed(page).count()) === 0) {
      expect(screens.length).toBeLessThan(30)
      await press(page, key)
      screens.push(await linesInSight(page, 202))
    }
    expect(screens.at(-1)?.last).toBe(201)
    for (const [index, { first }] of screens.slice(1).entries())
      expect(first, 'the lines go on').toBeLessThanOrEqual(screens[index]?.last ?? 0)
    expect(await pointed(page).textContent()).toBe('Allow once')
  })

  it('tell a person whose answer from another tab came first', async () => {
    const { page, other, workdir } = await withCommands(['git push'])
    await press(other, 'd')
    await pointed(other).waitFor()
    await press(page, 'a')
    await pointed(page).waitFor()
    await press(other, 'Enter')
    await other.getByText(/^Sending to \S+: Deny · git push$/).waitFor()
    await press(page, 'Enter')
    await page.getByText(/^Sending to \S+: Allow once · git push$/).waitFor()
    await page
      .getByText(/^Not sent to \S+: Allow once · git push · You have given another answer meanwhile/)
      .waitFor()
    expect(await answersIn(workdir)).toMatchObject({
      toolu_0: { responses: { permission: { selected: ['deny'] } } },
    })
  })

  it('end in no text, however fast they come', async () => {
    const { page, channel, workdir } = await withCommands(['git push', 'npm publish', 'git tag'])
    await askQuestion(channel, 'toolu_9', 9, 'What next?', { labels: [] })
    await page.getByRole('link', { name: 'Open 4' }).waitFor()
    for (let n = 0; n < 24; n++) {
      // Each key is held for this long, in milliseconds.
      await page.keyboard.press(n % 2 === 0 ? 'a' : 'Enter', { delay: 90 })
      expect(await page.locator('textarea:focus').count(), `after key ${n}`).toBe(0)
    }
    await press(page, 'z')
    await page.getByText(/^Not sent to \S+: Allow once · \S/).waitFor()
    const folder = join(workdir, '.sandagent/approvals')
    const drafts = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('toolu_9'))
    expect(drafts).toEqual([])
  })
})

/** Which lines of the call a person sees: above the bar with the buttons. */
const linesInSight = (page: Page, count: number): Promise<{ first: number; last: number }> =>
  page.locator('.question').evaluate((pane, lines) => {
    const call = pane.querySelector('.sa-main pre')?.getBoundingClientRect()
    const bar = pane.querySelector('.sa-footer')?.getBoundingClientRect()
    const { top, bottom } = pane.getBoundingClientRect()
    if (!call || !bar) throw new Error('There is no call')
    const height = call.height / lines
    return {
      first: Math.max(0, Math.ceil((top - call.top) / height)),
      last: Math.min(lines, Math.floor((Math.min(bottom, bar.top) - call.top) / height)) - 1,
    }
  }, count)
