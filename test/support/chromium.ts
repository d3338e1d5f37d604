import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { findCommand } from '../../scripts/find-command.mjs'

/** Where the system's Chromium is; suites that need it are skipped where it is missing. */
export const chromiumPath = findCommand('chromium')

/** Starts Chromium without a window and without its talk to the outside. The caller closes it. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('No "chromium" in PATH')
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Chromium for a group of tests: opened before the first, closed after the last. */
export function sharedChromium(): () => Browser {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())
  return () => browser
}
