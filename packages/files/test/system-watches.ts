import { expect } from 'vitest'
import { eventually } from './eventually.ts'

/** How many directories this process watches now. */
export const systemWatches = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'FSEventWrap').length

/** Waits until the tests before have given back all that they watched. */
export const noSystemWatches = (): Promise<void> => eventually(() => expect(systemWatches()).toBe(0))
