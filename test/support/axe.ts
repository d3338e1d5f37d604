import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules that look at colours: all that another colour scheme can break. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds on the page as it is: the rule, and where it is broken.
 *
 * @param rules default all of them
 */
export async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (values) =>
      (window as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ['violations'],
        // Frames with previews run no scripts, so axe cannot look into them.
        iframes: false,
        ...(values && { runOnly: { type: 'rule', values: [...values] } }),
      }),
    rules,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
