import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds on the page as it is: the rule, and where it is broken. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run())
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
