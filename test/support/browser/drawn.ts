import type { Page } from 'playwright-core'

/**
 * Resolves once the page is drawn at its present size, with what it made of that. A page that was just resized has its new
 * layout before its observers of sizes are told: they are told with the next frame.
 */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  )
}
