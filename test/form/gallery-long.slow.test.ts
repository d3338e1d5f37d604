import { describe } from 'vitest'
import { chromiumPath } from '../support/chromium.ts'
import { LONG_KINDS, testEveryLook } from '../support/gallery.ts'

describe.skipIf(!chromiumPath)('the form with long questions in every state', () => {
  testEveryLook(LONG_KINDS)
})
