import type { Page } from 'playwright-core'
import { chromiumPath, launchChromium } from '../browser/chromium.ts'
import type { Driver, Engine } from './driver.ts'

export const chromium: Engine = {
  name: 'Chromium',
  isInstalled: chromiumPath !== undefined,
  async launch() {
    const browser = await launchChromium()
    return {
      open: async () => driverOf(await (await browser.newContext()).newPage()),
      close: () => browser.close(),
    }
  },
}

/** The driver of a page that Playwright has opened. */
function driverOf(page: Page): Driver {
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    inject: (script) => page.evaluate(script),
    run: (what, ...args) => page.evaluate(`(${what})(...${JSON.stringify(args)})`),
    choose: (selector, path) => page.setInputFiles(selector, path),
    moveTo: (x, y) => page.mouse.move(x, y),
    mouseDown: () => page.mouse.down(),
    mouseUp: () => page.mouse.up(),
    type: (text) => page.keyboard.type(text),
    press: (chord) => page.keyboard.press(chord),
    screenshot: () => page.screenshot(),
    close: () => page.context().close(),
  }
}
