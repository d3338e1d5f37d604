import type { Locator } from 'playwright-core'

/**
 * Clicks as a person does: looks whether it worked, and clicks again if not. A form takes no click while it has just
 * moved, which on a busy machine may be at any time.
 */
export async function press(target: Locator, how: 'click' | 'tap' = 'click'): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  let isTaken: boolean
  do {
    const click = await target.evaluateHandle(watchClick)
    await target[how]()
    // A page that goes away with the click has taken it.
    isTaken = await click.evaluate(({ isStopped }) => !isStopped).catch(() => true)
  } while (!isTaken)
}

/** Runs in the page. The form stops a click on its way down, so that it does not arrive at its target. */
function watchClick(target: Element): { isStopped: boolean } {
  const click = { isStopped: false }
  addEventListener('click', () => (click.isStopped = true), { capture: true, once: true })
  target.addEventListener('click', () => (click.isStopped = false), { once: true })
  return click
}
