import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseQuestions } from '@sandagent/core'
import { openRecord } from '@sandagent/testing'
import { press } from '@sandagent/testing/playwright'
import { describe, expect, it, vi } from 'vitest'
import { faultsInEveryLook } from '../support/browser/axe.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

const QUESTIONS = parseQuestions([
  {
    id: 'pause',
    question: 'How long is the pause?',
    typed: { kind: 'number', min: 0, max: 1, step: 0.1, unit: 's' },
  },
  { id: 'offset', question: 'How many degrees?', typed: { kind: 'number', min: -40, max: 60 } },
  {
    id: 'day',
    question: 'On which day?',
    typed: { kind: 'date', earliest: '2026-01-01', latest: '2026-12-31' },
  },
  { id: 'away', question: 'When is nobody there?', typed: { kind: 'date', range: true } },
  {
    id: 'ports',
    question: 'Which ports?',
    typed: { kind: 'number', min: 1, max: 65535, step: 1, range: true },
  },
  { id: 'draft', question: 'How good is it?', typed: { kind: 'number', min: 1, max: 5, show: 'rating' } },
])

describe.skipIf(!chromiumPath)('numbers and dates in the inbox', () => {
  const browser = sharedChromium()

  it('are named, checked and stored as they were asked for', async () => {
    const { sandbox, channel } = await createWorkspace()
    await channel.open(openRecord('toolu_1', { questions: QUESTIONS }))
    const { link } = await startInbox(['--workdir', sandbox.workdir, '--name', 'Ada'])
    const page = await openInbox(browser(), link)
    const form = page.locator('.sa-ask')
    const next = () => press(form.locator('.sa-footer .sa-actions button').last())

    const shows = async (name: string, width: number, colorScheme: 'light' | 'dark'): Promise<void> => {
      if (!process.env.SCREENSHOTS) return
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/inbox-${name}-${colorScheme}.png` })
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ colorScheme: 'light' })
    }

    const pause = form.getByRole('spinbutton', { name: 'How long is the pause?' })
    await pause.fill('0.1')
    await pause.press('ArrowUp')
    await pause.press('ArrowUp')
    expect(await pause.inputValue()).toBe('0.3')
    expect(await pause.getAttribute('inputmode')).toBe('text')
    expect(await pause.getAttribute('aria-valuetext')).toBe('0.3 s')
    await shows('number', 390, 'dark')
    await next()

    const degrees = form.getByRole('spinbutton', { name: 'How many degrees?' })
    // The number pad of a phone has no minus.
    expect(await degrees.getAttribute('inputmode')).toBe('text')
    await degrees.fill('-7.5')
    await next()

    await form.getByLabel('On which day?').fill('2026-03-01')
    await shows('day', 390, 'light')
    await next()

    await form.getByLabel('From: When is nobody there?').fill('2026-07-14')
    await form.getByLabel('To: When is nobody there?').fill('2026-07-01')
    await shows('away', 390, 'dark')
    await next()

    await form.getByRole('spinbutton', { name: 'From: Which ports?' }).fill('1000')
    await form.getByRole('spinbutton', { name: 'To: Which ports?' }).fill('2000')
    await shows('ports', 390, 'light')
    await next()

    const rating = form.getByRole('radiogroup', { name: 'How good is it?' })
    await rating.getByRole('radio', { name: '4 of 5' }).check()
    await shows('rating', 390, 'dark')
    await next()

    // The days are the wrong way round: nothing sends them, and the button leads there.
    const send = form.getByRole('button', { name: 'Send answer' })
    await form.getByText('1 question still needs an answer.').waitFor()
    await send.press('Enter')
    await form.getByText('Enter a date such as 2026-01-31, from and to in this order').waitFor()
    const end = form.getByLabel('To: When is nobody there?')
    expect(await end.getAttribute('aria-invalid')).toBe('true')
    await shows('misfit', 390, 'light')
    expect(await faultsInEveryLook(page, [])).toEqual([])
    await end.fill('2026-07-20')
    await form.getByRole('button', { name: 'Review' }).last().press('Enter')
    await form.getByText('2026-07-14 to 2026-07-20').waitFor()
    await send.press('Enter')

    const path = join(sandbox.workdir, '.sandagent/approvals/toolu_1.json')
    const stored = await vi.waitFor(async () => {
      const answer = JSON.parse(await readFile(path, 'utf8'))
      expect(answer).toMatchObject({ status: 'completed', answeredBy: 'Ada' })
      return answer
    })
    const texts = Object.entries<{ freeText: string }>(stored.responses).map(([id, { freeText }]) => [
      id,
      freeText,
    ])
    expect(Object.fromEntries(texts)).toEqual({
      pause: '0.3',
      offset: '-7.5',
      day: '2026-03-01',
      away: '2026-07-14/2026-07-20',
      ports: '1000/2000',
      draft: '4',
    })
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('0.3 s, -7.5, 2026-03-01, 2026-07-14 to 2026-07-20, 1000 to 2000, 4 of 5').waitFor()
  })
})
