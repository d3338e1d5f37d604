import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { chromium } from './chromium-engine.ts'
import type { Engine, EngineBrowser } from './driver.ts'
import { firefox } from './firefox-engine.ts'
import { Tab } from './tab.ts'
import { webkit } from './webkit-engine.ts'

/** The engines that people's browsers are made of. */
const engines: readonly Engine[] = [chromium, firefox, webkit]

/**
 * The same tests in every engine that is installed.
 *
 * @param tests gets a function that opens a tab, with a profile of its own, until the test is over
 */
export function describeInEngines(title: string, tests: (open: () => Promise<Tab>) => void): void {
  for (const engine of engines)
    describe.skipIf(!engine.isInstalled)(`${title} in ${engine.name}`, () => {
      let browser: EngineBrowser
      beforeAll(async () => {
        browser = await engine.launch()
      })
      afterAll(() => browser.close())
      tests(async () => {
        const tab = new Tab(await browser.open())
        onTestFinished(() => tab.close())
        return tab
      })
    })
}
