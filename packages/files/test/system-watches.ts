/** How many directories this process watches now. */
export const systemWatches = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'FSEventWrap').length
