import type { PageElement, TestLocator } from './page-types.ts'

/**
 * Clicks as a person does: looks whether it worked, and clicks again if not. A form takes no click while it has just
 * moved, which on a busy machine may be at any time.
 */
export async function press(target: TestLocator, how: 'click' | 'tap' = 'click'): Promise<void> {
  // A page may replace the element meanwhile. The click looks for it again.
  await target.scrollIntoViewIfNeeded().catch(passOverDetached)
  let isTaken: boolean
  do {
    const click = await target.evaluateHandle(watchClick)
    await target[how]()
    // A page that goes away with the click has taken it.
    isTaken = await click.evaluate(({ isStopped }: { isStopped: boolean }) => !isStopped).catch(() => true)
  } while (!isTaken)
}

function passOverDetached(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('not attached'))) throw error
}

/** Runs in the page. The form stops a click on its way down, so that it does not arrive at its target. */
function watchClick(target: PageElement): { isStopped: boolean } {
  const click = { isStopped: false }
  const options = { capture: true, once: true }
  const page = globalThis as unknown as PageElement
  page.addEventListener('click', () => (click.isStopped = true), options)
  target.addEventListener('click', () => (click.isStopped = false), { once: true })
  return click
}
