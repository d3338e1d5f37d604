import { describe } from 'vitest'
import { chromiumPath } from '../support/browser/chromium.ts'
import { LONG_KINDS, testEveryLook } from '../support/browser/gallery.ts'

describe.skipIf(!chromiumPath)('the form with long questions in every state', () => {
  testEveryLook(LONG_KINDS)
})
