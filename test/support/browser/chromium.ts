import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { findCommand } from '../../../scripts/find-command.mjs'

/** Where the system's Chromium is; suites that need it are skipped where it is missing. */
export const chromiumPath = findCommand('chromium')

/** The same engine without all that belongs to a window: it opens pages faster. */
const shellPath = findCommand('chromium-headless-shell') ?? chromiumPath

/** Starts Chromium without a window and without its talk to the outside. The caller closes it. */
export async function launchChromium(executablePath = chromiumPath): Promise<Browser> {
  if (executablePath === undefined) throw new Error('No "chromium" in PATH')
  const browser = await chromium.launch({
    executablePath,
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
  // Nearly as long as a test may take: a busy machine is slow.
  browser.on('context', (context) => context.setDefaultTimeout(100_000))
  return browser
}

/** The browser of this process, which ends with it. */
let shared: Browser | undefined

/** Chromium for a group of tests. All files that run in one process share it; each group closes the pages that it leaves. */
export function sharedChromium(): () => Browser {
  let browser: Browser
  beforeAll(async () => {
    if (!shared?.isConnected()) shared = await launchChromium(shellPath)
    browser = shared
  })
  afterAll(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  return () => browser
}

/** The whole Chromium, for a group of tests that need what the shell has not, such as notifications. */
export function wholeChromium(): () => Browser {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())
  return () => browser
}
