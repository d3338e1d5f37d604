/**
 * What is used of Playwright's `Page` and `Locator`, by structure: those of `playwright`, `playwright-core` and
 * `@playwright/test` fit, and none of these packages is needed to build this one.
 */
export interface TestPage {
  locator(selector: string): TestLocator
}

export interface TestLocator {
  locator(selector: string): TestLocator
  first(): TestLocator
  nth(index: number): TestLocator
  click(): Promise<void>
  tap(): Promise<void>
  fill(text: string): Promise<void>
  count(): Promise<number>
  allTextContents(): Promise<string[]>
  scrollIntoViewIfNeeded(): Promise<void>
  waitFor(options?: { state?: 'detached' | 'visible' }): Promise<void>
  evaluate<R>(read: (element: InPage) => R): Promise<R>
  evaluateHandle<R>(
    read: (element: InPage) => R,
  ): Promise<{ evaluate(read: (value: InPage) => boolean): Promise<boolean> }>
}

/** A value of the page. A program of Node has no types for it: functions that run in the page say what they use of it. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type InPage = any

/** An element, as the functions here that run in the page see it. */
export interface PageElement {
  readonly dataset: Readonly<Record<string, string | undefined>>
  readonly textContent: string | null
  readonly value?: string
  readonly checked?: boolean
  click(): void
  closest(selector: string): PageElement | null
  matches(selector: string): boolean
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
  addEventListener(type: 'click', listener: () => void, options: { once: boolean; capture?: boolean }): void
}
