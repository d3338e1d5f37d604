import type { Question } from '@sandagent/core'
import { press } from '@sandagent/testing/playwright'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }

describe.skipIf(!chromiumPath)('the form', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  const open = async (address: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser().newContext({ reducedMotion: 'reduce', ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${demo().url}${address}`)
    return page
  }
  const openKind = async (query: Record<string, string>, options?: BrowserContextOptions): Promise<Page> => {
    const page = await open(`/gallery?${new URLSearchParams({ state: 'Waiting', ...query })}`, options)
    await page.locator('.sa-fields:enabled').waitFor()
    return page
  }
  const openQuestions = (questions: Question[], options?: BrowserContextOptions): Promise<Page> =>
    openKind({ questions: JSON.stringify(questions) }, options)
  const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
  /** Whether an element is on the screen, whole, and nothing is above it. */
  const isInSight = (place: Locator): Promise<boolean> =>
    place.evaluate((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect()
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return top >= 0 && bottom <= innerHeight && element.contains(there)
    })

  it.each([
    ['a phone', PHONE],
    ['a small laptop', { viewport: { width: 1280, height: 800 } }],
  ])('has the button that sends in sight, from the top of the review on, on %s', async (_, options) => {
    const page = await openKind({ kind: 'Many questions', state: 'Review' }, options)
    await page.locator('.sa-ask').evaluate((form) => form.scrollIntoView({ block: 'start' }))
    expect(await isInSight(page.locator('.sa-actions button').last())).toBe(true)
  })

  it('has it in sight in the demo at 1280 × 800', async () => {
    const page = await open('/', { viewport: { width: 1280, height: 800 } })
    const start = page.getByRole('button', { name: /Create a small project/ })
    await start.or(page.locator('.sa-ask')).first().waitFor()
    if (await start.count()) await press(start)
    await page.locator('.sa-fields:enabled').waitFor()
    await expect.poll(() => isInSight(page.locator('.sa-footer'))).toBe(true)
  })

  it('keeps what has the focus above its buttons', async () => {
    const page = await openKind({ kind: 'Fifty options' }, PHONE)
    const last = page.locator('.sa-body :is(button, textarea)').last()
    await last.focus()
    const edge = await last.evaluate((element) => element.getBoundingClientRect().bottom)
    const buttons = await page.locator('.sa-footer').evaluate((all) => all.getBoundingClientRect().top)
    expect(edge).toBeLessThanOrEqual(buttons)
  })

  it('leads to the button that sends after an undo, and tells of no other way', async () => {
    const page = await openKind({ kind: 'Single choice', undoMs: '600000' })
    await page.getByText('Pick one to send').waitFor()
    expect(await button(page, 'Send answer').getAttribute('class')).not.toContain('sa-primary')
    await press(page.getByText('Fixed pages, made for print.'))
    await press(button(page, 'Undo'))
    expect(await button(page, 'Send answer').getAttribute('class')).toContain('sa-primary')
    expect(await page.locator('.sa-hint').first().textContent()).toMatch(/Pick one$/)
  })

  it('has the caret behind the text that a person comes back to', async () => {
    const page = await openQuestions([{ question: 'Which name?' }, { question: 'Which place?' }])
    const field = page.getByRole('textbox').first()
    await field.fill('orders')
    await field.press('Enter')
    await press(button(page, 'Back'))
    await page.getByRole('textbox', { name: 'Which name?' }).waitFor()
    const [at, length] = await field.evaluate((element) => {
      const { selectionStart, value } = element as HTMLTextAreaElement
      return [selectionStart, value.length]
    })
    expect([at, length]).toEqual([6, 6])
  })

  it('opens no keyboard on a phone for a pick: the focus goes to an option', async () => {
    const many = Array.from({ length: 12 }, (_, n) => ({ label: `Number ${n + 1}` }))
    const questions = [
      { question: 'First?', options: [{ label: 'Yes' }, { label: 'No' }] },
      { question: 'Which number?', options: many },
    ]
    const page = await openQuestions(questions, PHONE)
    await press(page.getByText('Yes'), 'tap')
    await page.getByRole('radiogroup', { name: 'Which number?' }).waitFor()
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).type))
      .toBe('radio')
  })

  it('has a description below its label, on the side where the page begins', async () => {
    const page = await openQuestions([
      { question: 'أي صيغة؟', options: [{ label: 'ملف', description: 'One file.' }, { label: 'اثنان' }] },
    ])
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    const [label, description] = await page.locator('.sa-label, .sa-description').evaluateAll((all) =>
      all.slice(0, 2).map((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
        return Math.round(rects.at(-1)?.right ?? 0)
      }),
    )
    expect(description).toBe(label)
  })
})
