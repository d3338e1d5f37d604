import { freePort } from '@sandagent/fixtures/listen.ts'
import type { BrowserContext } from 'playwright-core'
import { afterEach, beforeEach } from 'vitest'
import { type DemoServer, startDemo } from '../servers/demo-server.ts'
import { sharedChromium } from './chromium.ts'

export interface DemoTest {
  demo: DemoServer
  /** A browser that has seen no page yet. */
  context: BrowserContext
  /** Starts the server again, after it was killed: with the same address and folder. */
  restart(): Promise<void>
}

/** A demo and a browser for each test of a group. */
export function demoForEach(): DemoTest {
  const browser = sharedChromium()
  const test = {
    async restart() {
      test.demo = await startDemo(Number(new URL(test.demo.url).port), test.demo)
    },
  } as DemoTest
  beforeEach(async () => {
    test.demo = await startDemo(await freePort())
    test.context = await browser().newContext()
  })
  afterEach(async () => {
    await test.context.close()
    await test.demo.close()
  })
  return test
}
