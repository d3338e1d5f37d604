import puppeteer, { type ElementHandle, type KeyInput, type Page } from 'puppeteer-core'
import { findCommand } from '../../../scripts/find-command.mjs'
import type { Driver, Engine } from './driver.ts'

const executablePath = findCommand('firefox-esr')

/** The system's Firefox, driven by WebDriver BiDi. */
export const firefox: Engine = {
  name: 'Firefox',
  isInstalled: executablePath !== undefined,
  async launch() {
    if (executablePath === undefined) throw new Error('No "firefox-esr" in PATH')
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      timeout: 110_000,
    })
    return {
      async open() {
        const context = await browser.createBrowserContext()
        const page = await context.newPage()
        page.setDefaultTimeout(100_000)
        await page.setViewport({ width: 1000, height: 760 })
        return { ...driverOf(page), close: () => context.close() }
      },
      close: () => browser.close(),
    }
  },
}

function driverOf(page: Page): Omit<Driver, 'close'> {
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    inject: async (script) => void (await page.evaluate(script)),
    run: (what, ...args) => page.evaluate(`(${what})(...${JSON.stringify(args)})`) as Promise<never>,
    async choose(selector, path) {
      const field = (await page.$(selector)) as ElementHandle<HTMLInputElement>
      await field.uploadFile(path)
    },
    moveTo: (x, y) => page.mouse.move(x, y),
    mouseDown: () => page.mouse.down(),
    mouseUp: () => page.mouse.up(),
    type: (text) => page.keyboard.type(text),
    async press(chord) {
      const keys = chord.split('+').map((key) => (key === 'Space' ? ' ' : key)) as KeyInput[]
      for (const key of keys) await page.keyboard.down(key)
      for (const key of keys.reverse()) await page.keyboard.up(key)
    },
    screenshot: () => page.screenshot(),
  }
}
