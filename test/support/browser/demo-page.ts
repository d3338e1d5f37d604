import { press } from '@sandagent/testing/playwright'
import type { BrowserContext, Locator, Page } from 'playwright-core'

/** The demo in a tab, by what a person sees of it. */
export interface DemoPage {
  page: Page
  begin(): Promise<void>
  radio(name: string): Locator
  box(name: string): Locator
  greeting(): Locator
  /** Goes on from the extras to the greeting. */
  toGreeting(): Promise<void>
  /** Looks over the answers. */
  review(): Promise<void>
  /** Looks over the answers, and sends them. */
  send(): Promise<void>
  /** Resolves once question number `n`, from 0, says this of itself. */
  status(n: number, text: string): Promise<void>
  /** Allows the agent to run its commands. */
  allow(): Promise<void>
  /** Resolves once the agent has said that it is done. */
  done(): Promise<void>
  /** What question number `n` shows as its answers. */
  answers(n: number): Promise<string[]>
}

/** Opens the demo in a new tab. */
export async function openDemo(context: BrowserContext, url: string, width = 1280): Promise<DemoPage> {
  const page = await context.newPage()
  await page.setViewportSize({ width, height: 800 })
  await page.goto(url)
  return demoIn(page)
}

/** What there is of the demo in a tab. */
export function demoIn(page: Page): DemoPage {
  const review = (): Promise<void> => press(page.getByRole('button', { name: 'Review' }).last())
  return {
    page,
    review,
    begin: () => press(page.getByRole('button', { name: /Create a small project/ })),
    radio: (name) => page.getByRole('radio', { name, exact: true }),
    box: (name) => page.getByRole('checkbox', { name, exact: true }),
    greeting: () => page.getByRole('textbox', { name: 'How should it greet people?' }),
    toGreeting: () => press(page.getByRole('button', { name: 'Next' })),
    async send() {
      await review()
      await press(page.getByRole('button', { name: 'Send answer' }))
    },
    status: (n, text) => page.getByRole('status').nth(n).filter({ hasText: text }).waitFor(),
    allow: () => press(page.getByRole('button', { name: 'Allow for this session' })),
    done: () => page.getByText('Everything is in the folder').waitFor(),
    answers: (n) => page.locator('.sa-ask').nth(n).locator('.sa-summary dd').allTextContents(),
  }
}
