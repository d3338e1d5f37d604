import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// As long as `vi.waitFor` waits, see test/support/setup/patience.ts.
configure({ asyncUtilTimeout: 30_000 })

// Testing Library would do this for the first file of a process alone.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
// Files share a window, so a draft that one keeps would be found by another with the same call.
afterEach(() => {
  cleanup()
  globalThis.sessionStorage?.clear()
  globalThis.localStorage?.clear()
})
