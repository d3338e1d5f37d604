import { expect, vi } from 'vitest'

/** How many directories this process watches now. */
export const systemWatches = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'FSEventWrap').length

/** Waits until the tests before have given back all that they watched. */
export const noSystemWatches = (): Promise<void> => vi.waitFor(() => expect(systemWatches()).toBe(0))
