import { expect, it } from 'vitest'
import type { TestLocator } from '../src/playwright/page-types.ts'
import { press } from '../src/playwright/press.ts'

/** Stands in for a locator of Playwright, which cannot be made to lose its element at one moment. */
function locatorThat(failsWith: string | null): { target: TestLocator; clicks: () => number } {
  let clicks = 0
  const target = {
    async scrollIntoViewIfNeeded() {
      if (failsWith !== null) throw new Error(failsWith)
    },
    evaluateHandle: async () => ({ evaluate: async () => clicks > 1 }),
    async click() {
      clicks += 1
    },
  }
  return { target: target as unknown as TestLocator, clicks: () => clicks }
}

it.each([null, 'locator.scrollIntoViewIfNeeded: Element is not attached to the DOM'])(
  'an element is clicked until it has taken the click, where scrolling to it fails with %j',
  async (failure) => {
    const { target, clicks } = locatorThat(failure)
    await press(target)
    expect(clicks()).toBe(2)
  },
)

it('an element that never comes is not clicked', async () => {
  const { target, clicks } = locatorThat('Timeout 30000ms exceeded')
  await expect(press(target)).rejects.toThrow('Timeout')
  expect(clicks()).toBe(0)
})
