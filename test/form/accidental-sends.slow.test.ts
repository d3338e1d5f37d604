import { describe, it } from 'vitest'
import { expectNoAccidentalSends } from '../support/browser/accidental-sends.ts'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { repeats } from '../support/repeats.ts'
import { sharedDemo } from '../support/servers/demo-server.ts'

describe.skipIf(!chromiumPath)('the form, tried for long', () => {
  const browser = sharedChromium()
  const demo = sharedDemo()

  it('sends what a person meant, whatever else mouse and keys do', async () => {
    await expectNoAccidentalSends(browser(), demo().url, {
      numRuns: repeats(50, 1000),
      limitMs: repeats(40_000, 600_000),
    })
  })
})
