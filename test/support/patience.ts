import { vi } from 'vitest'

const waitFor = vi.waitFor

/** Conditions that tests wait for come late on a busy machine: `vi.waitFor` gives up after 30 s, not after 1 s. */
vi.waitFor = (condition, options) =>
  waitFor(condition, {
    timeout: 30_000,
    interval: 10,
    ...(typeof options === 'number' ? { timeout: options } : options),
  })
