import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { answersIn, askCommand, askQuestion } from '../support/inbox/decisions.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

/** What a person decides, and the keys that do it. */
interface Decision {
  keys: string[]
  /** What the answer holds; absent for what is put off. */
  holds?: object
}

const KINDS: readonly ((id: string) => Decision)[] = [
  () => ({ keys: ['2'], holds: { status: 'completed', responses: { q1: { selected: ['Right'] } } } }),
  () => ({
    keys: ['1', '3', 'Control+Enter'],
    holds: { status: 'completed', responses: { q1: { selected: ['Left', 'Back'] } } },
  }),
  () => ({ keys: ['d', 'Enter'], holds: { status: 'declined' } }),
  () => ({ keys: ['a', 'Enter'], holds: { responses: { permission: { selected: ['allow-once'] } } } }),
  () => ({ keys: ['d', 'Enter'], holds: { responses: { permission: { selected: ['deny'] } } } }),
]

describe.skipIf(!chromiumPath)('fifty decisions by keyboard alone', () => {
  const browser = sharedChromium()

  it('take at most three keys each, and nothing is sent that was not meant', async () => {
    const { sandbox, channel } = await createWorkspace()
    const decisions = new Map<string, Decision>()
    // Approvals stand before questions.
    const kinds = Array.from({ length: 50 }, (_, n) => (n < 20 ? 3 + (n % 2) : (n - 20) % 3))
    for (const [n, kind] of kinds.entries()) {
      const id = `toolu_${n}`
      decisions.set(id, (KINDS[kind] as (typeof KINDS)[number])(id))
      if (kind > 2) await askCommand(channel, id, n, `npm run step-${n}`)
      else await askQuestion(channel, id, n, `Question ${n}: which way?`, { multiSelect: kind === 1 })
    }
    // One that nobody decides: a key that is typed too much would hit it.
    await askQuestion(channel, 'toolu_99', 99, 'The last one: which way?')
    const { link } = await startInbox(['--workdir', sandbox.workdir])
    const page = await openInbox(browser(), link)
    await page.getByRole('link', { name: 'Open 51' }).waitFor()
    await followDrawing(page)

    const sent: string[] = []
    for (;;) {
      const id = await shownId(page)
      const decision = decisions.get(id)
      if (!decision || sent.includes(id)) break
      sent.push(id)
      expect(decision.keys.length).toBeLessThanOrEqual(3)
      for (const key of decision.keys) {
        await page.evaluate(() => Object.assign(window, { pressedAt: performance.now() }))
        await page.keyboard.press(key)
        // The form shows what it asks next, such as whether to decline.
        if (key === 'd' || key === 'a') await page.locator('.sa-actions [data-decision]:focus').waitFor()
      }
      await page.waitForFunction((before) => shownCall() !== before, id)
    }
    expect(sent.length).toBe(50)
    await page.getByText(/^Sent to /).waitFor()
    const ids = [...decisions.keys()].sort()
    await vi.waitFor(async () => expect(Object.keys(await answersIn(sandbox.workdir)).sort()).toEqual(ids))
    const answers = await answersIn(sandbox.workdir)
    for (const [id, { holds }] of decisions) expect(answers[id], id).toMatchObject(holds ?? {})
    const drawn = await page.evaluate(() => (window as unknown as { drawn: number[] }).drawn)
    const sorted = drawn.sort((a, b) => a - b).map(Math.round)
    console.log(
      `The next question was drawn after ${sorted[Math.floor(sorted.length / 2)]} ms, at most ${sorted.at(-1)} ms`,
    )
  }, 240_000)
})

declare function shownCall(): string | undefined

/**
 * Measures how long after a key another question is on the screen. A hasty person presses more keys in that moment: they must
 * not act.
 */
const followDrawing = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const shown = (): string | undefined =>
      document
        .querySelector<HTMLElement>('.question .sa-ask[data-tool-call-id] :is(input, [data-decision])')
        ?.closest<HTMLElement>('.sa-ask')?.dataset.toolCallId
    const drawn: number[] = []
    Object.assign(window, { drawn, shownCall: shown })
    let last = shown()
    const look = (): void => {
      const now = shown()
      if (now !== last && now !== undefined) {
        last = now
        drawn.push(performance.now() - (window as unknown as { pressedAt: number }).pressedAt)
        for (const key of ['1', '2', 'a', 'd', 's', 'e'])
          (document.activeElement ?? document).dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
          )
      }
      requestAnimationFrame(look)
    }
    look()
  })

/** The call whose form takes keys now: nothing has moved it for a moment. */
const shownId = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        let since = performance.now()
        let before: string | undefined
        const look = (): void => {
          const form = document.querySelector<HTMLElement>('.question .sa-ask:not([data-settling])')
          const isReady = form?.querySelector('.sa-fields:enabled') && form.dataset.toolCallId === before
          if (!isReady) since = performance.now()
          before = form?.dataset.toolCallId
          if (performance.now() - since > 400) resolve(before ?? '')
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
