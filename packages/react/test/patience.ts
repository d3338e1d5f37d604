import { configure } from '@testing-library/react'

// As long as `vi.waitFor` waits, see test/support/patience.ts.
configure({ asyncUtilTimeout: 30_000 })
